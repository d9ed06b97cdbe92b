import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { loadProject, type ProjectSubject } from '../../directory/projects/project-subject.ts'
import { callAs } from '../../testing/clients/calls.ts'
import { buildIssueFixture, type IssueFixture } from '../../testing/fixtures/issues.ts'
import type { Json } from '../../testing/test-server.ts'
import { applyLabels, type Labelling, loadLabels, planLabels } from './labelling.service.ts'

let fixture: IssueFixture
let project: Json

beforeAll(async () => {
  fixture = await buildIssueFixture()
})
afterAll(() => fixture.server.close())
beforeEach(async () => {
  const { server, group } = fixture
  project = await server.buildProject({ namespace_id: group.id, visibility: 'public' })
})

const call = (method: string, path: string, body?: object, who = fixture.reporter) =>
  callAs(fixture.server, method, path, who.token, body)

const label = async (owner: string, name: string, color = '#123456') =>
  (await call('POST', `/${owner}/labels`, { name, color })).body

const titles = async () => {
  const { body } = await call('GET', `/projects/${project.id}/labels`)
  return body.filter((one: Json) => one.is_project_label).map((one: Json) => one.name)
}

/** The caller and the project as services get them. */
async function contextFor(userId: number) {
  const { app } = fixture.server
  const caller = await actingUser(app, userId)
  if (caller === undefined) throw new Error('no such user')
  return {
    app,
    caller,
    subject: (await loadProject(app, String(project.id), caller)) as ProjectSubject,
  }
}

async function relabel(
  issue: Json,
  names: string[],
  mode: Labelling['mode'],
  userId = fixture.reporter.id,
) {
  const { app, caller, subject } = await contextFor(userId)
  const plan = await planLabels(app, caller, { project: subject }, names, {
    create: mode !== 'remove',
  })
  const target = {
    type: 'issue',
    id: issue.id,
    projectId: project.id,
    createdAt: Date.parse(issue.created_at),
  } as const
  const now = app.now()
  const { added, removed } = await app.db.transaction((tx) =>
    applyLabels(tx, target, plan, { mode, userId, at: now, now }),
  )
  const changed = added.length + removed.length > 0
  const actual = (await loadLabels(app, 'issue', [issue.id])).get(issue.id) ?? []
  return { changed, names: actual.map((one) => one.name) }
}

const events = async (issue: Json) =>
  (
    await call(
      'GET',
      `/projects/${project.id}/issues/${issue.iid}/resource_label_events?per_page=100`,
    )
  ).body

describe('labels of POST and PUT /projects/:id/issues', () => {
  it('are created once, with the default color, by users who may manage labels', async () => {
    await label(`projects/${project.id}`, 'there')
    const issue = await fixture.open({ labels: ' new , there,, new ' }, fixture.reporter, project)
    expect(issue.labels).toEqual(['new', 'there'])
    const made = await call('GET', `/projects/${project.id}/labels/new`)
    expect(made.body).toMatchObject({ color: '#428BCA', text_color: '#FFFFFF', description: null })
  })

  it('are accepted as arrays, whose elements are split at commas', async () => {
    const issue = await fixture.open({ labels: ['a', 'b,c', ' '] }, fixture.reporter, project)
    expect(issue.labels).toEqual(['a', 'b', 'c'])
  })

  it('resolve to the label of the project, then to that of the nearest group', async () => {
    const { server, group } = fixture
    const below = await server.buildGroup({ parent_id: group.id, visibility: 'public' })
    project = await server.buildProject({ namespace_id: below.id, visibility: 'public' })
    const far = await label(`groups/${group.id}`, `far ${project.id}`)
    const near = await label(`groups/${below.id}`, `both ${project.id}`)
    const own = await label(`projects/${project.id}`, `own ${project.id}`)
    await label(`groups/${below.id}`, own.name)
    await label(`groups/${group.id}`, near.name)
    await fixture.open({ labels: [far.name, near.name, own.name] }, fixture.reporter, project)
    const issues = await call('GET', `/projects/${project.id}/issues?with_labels_details=true`)
    const ids = issues.body[0].labels.map((one: Json) => one.id)
    expect(ids.toSorted()).toEqual([far.id, near.id, own.id].toSorted())
  })

  it('return 400 for an invalid name, and are ignored if the caller may not create them', async () => {
    const name = 'x'.repeat(256)
    const answer = await fixture.call(
      'POST',
      '',
      { title: 'a', labels: name },
      fixture.reporter,
      project,
    )
    const message = { labels: ['is too long (maximum is 255 characters)'] }
    expect([answer.status, answer.body]).toEqual([400, { message }])
    const { app, caller, subject } = await contextFor(fixture.guest.id)
    await label(`projects/${project.id}`, 'there')
    const plan = await planLabels(app, caller, { project: subject }, [name, 'none', 'there'], {
      create: true,
    })
    expect([plan.labelIds.length, plan.newTitles]).toEqual([1, []])
  })

  it('are created once by concurrent calls', async () => {
    const opened = await Promise.all(
      [1, 2, 3, 4].map(() => fixture.open({ labels: 'race,other' }, fixture.reporter, project)),
    )
    for (const issue of opened) expect(issue.labels).toEqual(['other', 'race'])
    expect(await titles()).toEqual(['other', 'race'])
  })
})

describe('applyLabels', () => {
  it('adds, removes and sets labels, and returns what changed', async () => {
    const issue = await fixture.open({ labels: 'a,b' }, fixture.reporter, project)
    expect(await relabel(issue, ['b', 'c'], 'add')).toEqual({
      changed: true,
      names: ['a', 'b', 'c'],
    })
    expect(await relabel(issue, ['b', 'c'], 'add')).toEqual({
      changed: false,
      names: ['a', 'b', 'c'],
    })
    expect(await relabel(issue, ['a', 'none'], 'remove')).toEqual({
      changed: true,
      names: ['b', 'c'],
    })
    expect(await relabel(issue, ['a'], 'remove')).toEqual({ changed: false, names: ['b', 'c'] })
    expect(await relabel(issue, ['c', 'd'], 'set')).toEqual({ changed: true, names: ['c', 'd'] })
    expect(await relabel(issue, [], 'set')).toEqual({ changed: true, names: [] })
    expect(await relabel(issue, [], 'set')).toEqual({ changed: false, names: [] })
    const actions = (await events(issue)).map((one: Json) => `${one.action} ${one.label.name}`)
    expect(actions).toEqual(
      ['a', 'b', 'c']
        .map((name) => `add ${name}`)
        .concat('remove a', 'add d', 'remove b', 'remove c', 'remove d'),
    )
  })

  it('takes effect once for two concurrent calls', async () => {
    const issue = await fixture.open({}, fixture.reporter, project)
    const both = await Promise.all([1, 2, 3].map(() => relabel(issue, ['x', 'y'], 'add')))
    expect(both.filter(({ changed }) => changed)).toHaveLength(1)
    expect(await events(issue)).toHaveLength(2)
    const removals = await Promise.all([1, 2, 3].map(() => relabel(issue, ['x'], 'remove')))
    expect(removals.filter(({ changed }) => changed)).toHaveLength(1)
  })

  it('runs the same number of queries for any number of labels', async () => {
    const { db } = fixture.server.app
    const issue = await fixture.open({ labels: 'a' }, fixture.reporter, project)
    const many = Array.from({ length: 30 }, (_, index) => `m${index}`)
    await fixture.open({ labels: ['one', ...many] }, fixture.reporter, project)
    const cost = async (names: string[]) => {
      const before = db.stats.queries
      await relabel(issue, names, 'add')
      return db.stats.queries - before
    }
    expect(await cost(many)).toBe(await cost(['one']))
  })
})

describe('the counts of a label', () => {
  const counts = async (name: string, who = fixture.reporter) => {
    const { body } = await call('GET', `/projects/${project.id}/labels/${name}`, undefined, who)
    return [body.open_issues_count, body.closed_issues_count, body.open_merge_requests_count]
  }

  it('follow issues that are opened, closed, made confidential and deleted', async () => {
    const first = await fixture.open({ labels: 'a,b' }, fixture.reporter, project)
    await fixture.open({ labels: 'a', confidential: true }, fixture.reporter, project)
    const put = (issue: Json, body: object, who = fixture.reporter) =>
      fixture.call('PUT', `/${issue.iid}`, body, who, project)
    expect(await counts('a')).toEqual([2, 0, 0])
    expect(await counts('a', fixture.stranger)).toEqual([1, 0, 0])
    await put(first, { state_event: 'close' })
    expect(await counts('a')).toEqual([1, 1, 0])
    await put(first, { confidential: true, labels: 'a' })
    expect(await counts('a', fixture.stranger)).toEqual([0, 0, 0])
    expect(await counts('b')).toEqual([0, 0, 0])
    await fixture.call('DELETE', `/${first.iid}`, undefined, fixture.owner, project)
    expect(await counts('a')).toEqual([1, 0, 0])
  })

  it('run the same number of queries for one label and for a page', async () => {
    const { db } = fixture.server.app
    const cost = async () => {
      const before = db.stats.queries
      const answer = await call('GET', `/projects/${project.id}/labels?per_page=100`)
      return [answer.body.length, db.stats.queries - before]
    }
    await fixture.open({ labels: 'a' }, fixture.reporter, project)
    const [, one] = await cost()
    for (const labels of ['b,c,d', 'e,f', 'g'])
      await fixture.open({ labels }, fixture.reporter, project)
    const [length, many] = await cost()
    expect([many, Number(length) >= 7]).toEqual([one, true])
    expect(many).toBeLessThanOrEqual(8)
  })
})

describe('lists that are filtered by a label', () => {
  it('reflect the renaming and deletion of the label immediately', async () => {
    await fixture.open({ labels: 'old' }, fixture.reporter, project)
    const total = async (name: string) => {
      const path = `/projects/${project.id}/issues?labels=${name}`
      return (await call('GET', path)).headers['x-total']
    }
    expect([await total('old'), await total('new'), await total('None')]).toEqual(['1', '0', '0'])
    await call('PUT', `/projects/${project.id}/labels/old`, { new_name: 'new' })
    expect([await total('old'), await total('new')]).toEqual(['0', '1'])
    await call('DELETE', `/projects/${project.id}/labels/new`)
    expect([await total('new'), await total('None')]).toEqual(['0', '1'])
  })
})
