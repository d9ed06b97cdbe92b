import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs, created } from '../../testing/clients/calls.ts'
import { buildNoteableFixture, type NoteableFixture } from '../../testing/fixtures/noteables.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let fixture: NoteableFixture
let group: Json
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  fixture = await buildNoteableFixture(server)
  group = fixture.group
  project = fixture.made.project
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, who: { token: string } = server.root) =>
  callAs(server, method, path, who.token, body)

const made = (path: string, body: object) => created(server, path, body)

const read = async (path: string) => (await call('GET', path)).body
let count = 0
const build = (owner: string) => made(`/${owner}/milestones`, { title: `v${++count}` })

/** A merge request with the milestone. */
async function buildRequest(milestoneId: number) {
  const request = await fixture.build('MergeRequest')
  const args = { id: request.id ?? 0, milestoneId }
  await server.app.db.run('test.plan', args, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ milestoneId: $('milestoneId') })
      .where('id', '=', $('id')),
  )
  return request
}

/** Many issues with the milestone, numbered from `firstIid`. */
async function buildIssues(
  length: number,
  firstIid: number,
  columns: { projectId: number; milestoneId: number },
) {
  for (let iid = firstIid; iid < firstIid + length; iid += 1) {
    await setImmediate()
    await server.app.db.run('test.milestone-issue', { ...columns, iid }, (db, $) =>
      db.insertInto('issues').values({
        projectId: $('projectId'),
        iid: $('iid'),
        authorId: 1,
        title: 'one of many',
        milestoneId: $('milestoneId'),
        createdAt: 0,
        updatedAt: 0,
      }),
    )
  }
}

const systemNotes = async (path: string) =>
  (await read(`${path}/notes?sort=asc`)).filter((n: Json) => n.system).map((n: Json) => n.body)

describe('DELETE /projects/:id/milestones/:milestone_id', () => {
  it('returns 204, and removes the milestone from issues and merge requests with a system note', async () => {
    const milestone = await build(`projects/${project.id}`)
    const path = `/projects/${project.id}/milestones/${milestone.id}`
    const issue = await made(`/projects/${project.id}/issues`, {
      title: 'a',
      milestone_id: milestone.id,
    })
    const request = await buildRequest(milestone.id)
    expect((await read(`${path}/merge_requests`)).map((one: Json) => one.milestone.id)).toEqual([
      milestone.id,
    ])
    expect([(await call('DELETE', path)).status, (await call('GET', path)).status]).toEqual([
      204, 404,
    ])
    const where = `/projects/${project.id}/issues/${issue.iid}`
    expect((await read(where)).milestone).toBeNull()
    expect(Date.parse((await read(where)).updated_at)).toBeGreaterThanOrEqual(
      Date.parse(issue.updated_at),
    )
    expect((await systemNotes(where)).at(-1)).toBe('removed milestone')
    expect((await systemNotes(request.path)).at(-1)).toBe('removed milestone')
    expect((await call('DELETE', path)).status).toBe(404)
  })

  it('creates an event, while earlier events lose their target', async () => {
    const milestone = await build(`projects/${project.id}`)
    await call('DELETE', `/projects/${project.id}/milestones/${milestone.id}`)
    const events = (await read(`/projects/${project.id}/events?sort=asc&per_page=100`)).filter(
      (event: Json) => event.target_title === milestone.title,
    )
    expect(
      events.map((event: Json) => [event.action_name, event.target_type, event.target_id]),
    ).toEqual([
      ['opened', 'Milestone', null],
      ['destroyed', 'Milestone', null],
    ])
  })

  it('delivers webhooks for the issues', async () => {
    const hooked = await server.buildProject({ namespace_id: group.id })
    const milestone = await build(`projects/${hooked.id}`)
    await made(`/projects/${hooked.id}/issues`, { title: 'a', milestone_id: milestone.id })
    await made(`/projects/${hooked.id}/hooks`, {
      url: 'https://example.com/',
      issues_events: true,
      push_events: false,
    })
    await call('DELETE', `/projects/${hooked.id}/milestones/${milestone.id}`)
    const jobs = await server.app.db.all('test.jobs', {}, (db) =>
      db.selectFrom('jobs').select('payload').where('kind', '=', 'webhooks.event'),
    )
    const payload = jobs.filter((job) => job.payload.includes('milestone_id')).at(-1)?.payload ?? ''
    expect(JSON.parse(payload)).toMatchObject({
      event: 'issue',
      source: {
        action: 'update',
        changes: { milestone_id: { previous: milestone.id, current: null } },
      },
    })
  })
})

describe('DELETE /groups/:id/milestones/:milestone_id', () => {
  it('removes a large milestone, and writes the system notes in jobs, once each', async () => {
    const milestone = await build(`groups/${group.id}`)
    const path = `/projects/${project.id}/issues`
    const first = await made(path, { title: 'first', milestone_id: milestone.id })
    await buildIssues(250, 10_000, { projectId: project.id, milestoneId: milestone.id })
    expect((await call('DELETE', `/groups/${group.id}/milestones/${milestone.id}`)).status).toBe(
      204,
    )
    expect(await read(`${path}?milestone=${milestone.title}`)).toEqual([])
    expect((await read(`${path}/10249`)).milestone).toBeNull()
    await server.runJobs()
    for (const iid of [first.iid, 10_000, 10_249]) {
      const removals = (await systemNotes(`${path}/${iid}`)).filter(
        (body: string) => body === 'removed milestone',
      )
      expect([iid, removals]).toEqual([iid, ['removed milestone']])
    }
  })
})

describe('POST /projects/:id/milestones/:milestone_id/promote', () => {
  it('merges milestones of many issues in a job', async () => {
    const other = await server.buildProject({ namespace_id: group.id })
    const milestone = await build(`projects/${project.id}`)
    const twin = await made(`/projects/${other.id}/milestones`, { title: milestone.title })
    await buildIssues(250, 20_000, { projectId: project.id, milestoneId: milestone.id })
    await buildIssues(250, 1, { projectId: other.id, milestoneId: twin.id })
    const path = `/projects/${project.id}/milestones/${milestone.id}`
    expect((await call('POST', `${path}/promote`)).status).toBe(200)
    expect((await call('GET', path)).status).toBe(200)
    await server.runJobs()
    expect((await call('GET', path)).status).toBe(404)
    const found = await call('GET', `/groups/${group.id}/issues?milestone=${milestone.title}`)
    expect(found.headers['x-total']).toBe('500')
    const [{ milestone: promoted }] = found.body
    expect(promoted).toMatchObject({ title: milestone.title, group_id: group.id })
    for (const where of [`${project.id}/issues/20249`, `${other.id}/issues/250`]) {
      expect((await read(`/projects/${where}`)).milestone).toEqual(promoted)
    }
  })

  it('returns 200 without a body, and merges into one milestone of the group', async () => {
    const other = await server.buildProject({ namespace_id: group.id })
    const milestone = await build(`projects/${project.id}`)
    const body = { title: milestone.title, due_date: '2020-01-01' }
    const twin = await made(`/projects/${other.id}/milestones`, body)
    await call('PUT', `/projects/${project.id}/milestones/${milestone.id}`, {
      description: 'kept',
      state_event: 'close',
    })
    const issues = [
      await made(`/projects/${project.id}/issues`, { title: 'a', milestone_id: milestone.id }),
      await made(`/projects/${other.id}/issues`, { title: 'b', milestone_id: twin.id }),
    ]
    const request = await buildRequest(milestone.id)
    const answer = await call('POST', `/projects/${project.id}/milestones/${milestone.id}/promote`)
    expect([answer.status, answer.text]).toEqual([200, ''])
    const [promoted] = await read(`/groups/${group.id}/milestones?title=${milestone.title}`)
    expect(promoted).toMatchObject({
      group_id: group.id,
      description: 'kept',
      state: 'closed',
      due_date: null,
    })
    for (const issue of issues) {
      const path = `/projects/${issue.project_id}/issues/${issue.iid}`
      expect((await read(path)).milestone.id).toBe(promoted.id)
      expect(await systemNotes(path)).not.toContain('removed milestone')
    }
    const requests = await read(`/groups/${group.id}/milestones/${promoted.id}/merge_requests`)
    expect(requests.map((one: Json) => one.iid)).toEqual([request.iid])
    expect(await read(`/groups/${group.id}/milestones/${promoted.id}/issues`)).toHaveLength(2)
    expect(await read(`/projects/${other.id}/milestones`)).toEqual([])
  })

  it('returns 400 if the project is in no group or the group has the title', async () => {
    const personal = await server.buildProject()
    const lonely = await build(`projects/${personal.id}`)
    const answer = await call('POST', `/projects/${personal.id}/milestones/${lonely.id}/promote`)
    expect([answer.status, answer.body]).toEqual([
      400,
      { message: 'Promotion failed - Project does not belong to a group.' },
    ])
    const milestone = await build(`projects/${project.id}`)
    const args = { groupId: group.id, title: milestone.title }
    await server.app.db.run('test.namesake', args, (db, $) =>
      db.insertInto('milestones').values({
        groupId: $('groupId'),
        title: $('title'),
        iid: 77_777,
        createdAt: 0,
        updatedAt: 0,
      }),
    )
    const conflict = await call(
      'POST',
      `/projects/${project.id}/milestones/${milestone.id}/promote`,
    )
    expect(conflict.body).toEqual({
      message:
        'Promotion failed - Title already being used for another group or project milestone.',
    })
    expect((await call('GET', `/projects/${project.id}/milestones/${milestone.id}`)).status).toBe(
      200,
    )
  })

  it('returns 403 to callers who may not manage the milestones of the group', async () => {
    const milestone = await build(`projects/${project.id}`)
    const developer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, developer.id, 30)
    const path = `/projects/${project.id}/milestones/${milestone.id}/promote`
    expect((await call('POST', path, undefined, developer)).status).toBe(403)
  })
})
