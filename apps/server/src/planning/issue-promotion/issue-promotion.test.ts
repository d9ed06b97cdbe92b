import { findOrphans, findWrongCounts } from '@stithy/store/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { created } from '../../testing/clients/calls.ts'
import { buildIssueFixture, type IssueFixture } from '../../testing/fixtures/issues.ts'
import type { Json } from '../../testing/test-server.ts'

// `/promote`: an epic in the group of the project gets the title, description, comments and system
// notes, awards, label events and the labels of the group; the issue is closed, with system notes on
// both. In comments and in the description of a new issue; once for each issue.

let fixture: IssueFixture
beforeAll(async () => {
  fixture = await buildIssueFixture()
})
afterAll(() => fixture.server.close())

const issuePath = ({ project_id: project, iid }: Json) => `/projects/${project}/issues/${iid}`
const epics = () => `/groups/${fixture.group.id}/epics`

async function read(path: string): Promise<Json> {
  const { status, body } = await fixture.server.inject('GET', path, fixture.server.root)
  if (status !== 200) throw new Error(`GET ${path}: ${status}`)
  return body
}

const post = (path: string, body: object, by: { token: string } = fixture.reporter) =>
  created(fixture.server, path, body, by)

/** Comments with `/promote`; returns the new epic, or undefined. */
async function promote(
  issue: Json,
  by: { token: string } = fixture.reporter,
): Promise<Json | undefined> {
  const before = new Set((await read(epics())).map(({ id }: Json) => id))
  const body = { body: '/promote' }
  await fixture.server.inject('POST', `${issuePath(issue)}/notes`, { token: by.token, body })
  return (await read(epics())).find(({ id }: Json) => !before.has(id))
}

async function promoted(issue: Json): Promise<Json> {
  const epic = await promote(issue)
  if (epic === undefined) throw new Error('no epic was made')
  return epic
}

const notesOn = (epic: Json) =>
  read(`${epics()}/${epic.id}/notes?sort=asc&order_by=created_at&per_page=100`)

async function textsOn(epic: Json): Promise<string[]> {
  return (await notesOn(epic)).map(({ body }: Json) => body)
}

async function faults(): Promise<string[]> {
  const { db } = fixture.server.app
  return [...(await findOrphans(db)), ...(await findWrongCounts(db))]
}

beforeEach(async () => {
  expect(await faults()).toEqual([])
})

describe('/promote', () => {
  it('makes an epic with the texts, labels of the group and awards, and closes the issue', async () => {
    const { group, owner, guest, reporter, developer } = fixture
    await post(`/groups/${group.id}/labels`, { name: 'shared', color: '#ff0000' })
    const issue = await fixture.open(
      {
        title: 'Grown',
        labels: 'shared,only here',
        description: `- [x] a\n- [ ] b for @${guest.username}`,
        assignee_ids: [developer.id],
        due_date: '2030-01-01',
        weight: 3,
      },
      owner,
    )
    await post(`${issuePath(issue)}/award_emoji`, { name: 'thumbsup' }, guest)
    await post(`${issuePath(issue)}/award_emoji`, { name: 'thumbsdown' })
    const epic = await promoted(issue)
    expect(await read(`${epics()}/${epic.iid}`)).toMatchObject({
      title: 'Grown',
      description: issue.description,
      state: 'opened',
      author: { id: reporter.id },
      labels: ['shared'],
      start_date: null,
      due_date: null,
      parent_id: null,
      upvotes: 1,
      downvotes: 1,
    })
    const awards = await read(`${epics()}/${epic.iid}/award_emoji`)
    expect(awards.map(({ user }: Json) => user.id)).toEqual([guest.id, reporter.id])
    const events = await read(`${epics()}/${epic.id}/resource_label_events`)
    expect(events.map(({ label }: Json) => label?.name)).toEqual([undefined, 'shared'])
    const source = await read(issuePath(issue))
    expect(source).toMatchObject({
      state: 'closed',
      closed_by: { id: reporter.id },
      labels: ['only here', 'shared'],
      weight: 3,
      due_date: '2030-01-01',
    })
    const due = 'changed due date to January 1, 2030'
    expect(await fixture.systemNotes(issue)).toEqual([due, `promoted to epic &${epic.iid}`])
    const full = fixture.project.path_with_namespace
    expect(await textsOn(epic)).toEqual([due, `promoted from issue ${full}#${issue.iid}`])
    expect((await fixture.activity()).at(-1)).toBe(`closed Issue ${issue.iid}`)
    expect(await faults()).toEqual([])
  })

  it('copies comments with their authors, dates, awards, mentions and threads', async () => {
    const { owner, guest, developer } = fixture
    const issue = await fixture.open()
    const path = issuePath(issue)
    const at = '2015-01-01T00:00:00.000Z'
    const first = await post(`${path}/notes`, { body: 'First', created_at: at }, owner)
    await post(`${path}/notes/${first.id}/award_emoji`, { name: 'tada' }, guest)
    const thread = await post(`${path}/discussions`, { body: 'One' }, guest)
    const reply = { body: `Two for @${developer.username}` }
    await post(`${path}/discussions/${thread.id}/notes`, reply)
    const epic = await promoted(issue)
    const comments = (await notesOn(epic)).filter(({ system }: Json) => !system)
    expect(comments.map(({ body }: Json) => body)).toEqual(['First', 'One', reply.body])
    expect(comments[0]).toMatchObject({ author: { id: owner.id }, created_at: at })
    const awards = await read(`${epics()}/${epic.iid}/notes/${comments[0].id}/award_emoji`)
    expect(awards).toMatchObject([{ name: 'tada', user: { id: guest.id } }])
    const discussions = await read(`${epics()}/${epic.id}/discussions?per_page=100`)
    const found = discussions.find(({ notes }: Json) => notes.length === 2)
    expect(found.notes.map(({ body }: Json) => body)).toEqual(['One', reply.body])
    expect(found.id).not.toBe(thread.id)
    const mentions = await fixture.server.app.db.all('test.mentions', { id: epic.id }, (db, $) =>
      db
        .selectFrom('mentions')
        .where('targetType', '=', 'epic')
        .where('targetId', '=', $('id'))
        .select(['noteId', 'userId']),
    )
    expect(mentions).toEqual([{ noteId: comments[2].id, userId: developer.id }])
    // What was mentioned before is not mentioned again.
    const { body: todos } = await fixture.server.inject('GET', '/todos?type=Epic', developer)
    expect(todos).toEqual([])
    expect(await faults()).toEqual([])
  })

  it('is executed with the other commands of a comment, whose text stays on the issue', async () => {
    const issue = await fixture.open()
    await post(`${issuePath(issue)}/notes`, { body: 'Words\n/title Other\n/promote' })
    const [epic] = await read(`${epics()}?order_by=created_at`)
    expect([epic.title, await textsOn(epic)]).toEqual([
      'Other',
      expect.not.arrayContaining(['Words']),
    ])
    const notes = await read(`${issuePath(issue)}/notes`)
    expect(notes.map(({ body }: Json) => body)).toContain('Words')
  })

  it('is executed in the description of a new issue', async () => {
    const issue = await fixture.open({ title: 'At once', description: 'Text\n/promote' })
    expect([issue.state, issue.description]).toEqual(['closed', 'Text'])
    const [epic] = await read(epics())
    expect(epic).toMatchObject({ title: 'At once', description: 'Text' })
    expect(await fixture.systemNotes(issue)).toEqual([`promoted to epic &${epic.iid}`])
  })

  it('leaves a closed issue closed, and an issue in its epic', async () => {
    const parent = await post(epics(), { title: 'Parent' })
    const issue = await fixture.open()
    await post(`${epics()}/${parent.iid}/issues/${issue.id}`, {})
    await fixture.call('PUT', `/${issue.iid}`, { state_event: 'close' }, fixture.developer)
    const epic = await promoted(issue)
    expect(epic.parent_id).toBeNull()
    expect((await read(issuePath(issue))).closed_by.id).toBe(fixture.developer.id)
    const closings = (await fixture.activity()).filter((it) => it === `closed Issue ${issue.iid}`)
    expect(closings).toHaveLength(1)
    const issues = await read(`${epics()}/${parent.iid}/issues`)
    expect(issues.map(({ id }: Json) => id)).toEqual([issue.id])
  })

  it('makes one epic of an issue, also for concurrent calls; another once it is deleted', async () => {
    const { server, owner, reporter } = fixture
    const issue = await fixture.open({ title: 'Once' })
    const body = { body: '/promote' }
    const path = `${issuePath(issue)}/notes`
    await Promise.all([1, 2, 3].map(() => server.inject('POST', path, { ...reporter, body })))
    const made = (await read(epics())).filter(({ title }: Json) => title === 'Once')
    expect(made).toHaveLength(1)
    expect(await promote(issue)).toBeUndefined()
    const [epic] = made
    expect((await server.inject('DELETE', `${epics()}/${epic.iid}`, owner)).status).toBe(204)
    expect((await promoted(issue)).iid).toBeGreaterThan(epic.iid)
    expect(await faults()).toEqual([])
  })
})

describe('the texts of a promoted issue', () => {
  it('refer to the same, and link to the uploads of the project', async () => {
    const { server, group, project, owner } = fixture
    const near = await server.buildProject({ namespace_id: group.id, path: 'next-door' })
    await fixture.open({}, server.root, near)
    const other = await fixture.open()
    const epic = await post(epics(), { title: 'Other' })
    await post(`/projects/${project.id}/labels`, { name: 'own', color: '#fff' }, owner)
    await post(`/groups/${group.id}/labels`, { name: 'of all', color: '#fff' }, owner)
    await post(`/projects/${project.id}/milestones`, { title: 'Mine' }, owner)
    await post(`/groups/${group.id}/milestones`, { title: 'joint goal' }, owner)
    const file = `/uploads/${'0a'.repeat(16)}/x.png`
    const kept = `next-door#1 &${epic.iid} ~"of all" %"joint goal" x${file} #4711 \`#${other.iid}\``
    const full = project.path_with_namespace
    const text = `#${other.iid} ~own %1 ![x](${file}) ${kept}`
    const there = `${full}#${other.iid} ${full}~own ${full}%1 ![x](http://stithy.test/${full}${file}) ${kept}`
    const issue = await fixture.open({ description: text })
    await post(`${issuePath(issue)}/notes`, { body: `Note ${text}` })
    const made = await promoted(issue)
    expect(made.description).toBe(there)
    expect(await textsOn(made)).toContain(`Note ${there}`)
  })

  it('tell of milestones and locks as on the issue', async () => {
    const { group, project, owner, server, developer } = fixture
    const mine = await post(`/projects/${project.id}/milestones`, { title: 'Ours' }, owner)
    const joint = await post(`/groups/${group.id}/milestones`, { title: 'Of the group' }, owner)
    const issue = await fixture.open()
    for (const change of [
      { milestone_id: mine.id },
      { milestone_id: joint.id },
      { discussion_locked: true },
      { assignee_ids: [developer.id] },
    ]) {
      await fixture.call('PUT', `/${issue.iid}`, change)
    }
    const epic = await promoted(issue)
    const full = project.path_with_namespace
    expect(await textsOn(epic)).toEqual([
      `changed milestone to ${full}%${mine.iid}`,
      'changed milestone to %"Of the group"',
      'locked this issue',
      `assigned to @${developer.username}`,
      `promoted from issue ${full}#${issue.iid}`,
    ])
    await server.inject('DELETE', issuePath(issue), server.root)
    expect(await textsOn(epic)).toEqual([
      'changed milestone to %"Of the group"',
      'locked this issue',
      `assigned to @${developer.username}`,
    ])
    expect(await faults()).toEqual([])
  })
})
