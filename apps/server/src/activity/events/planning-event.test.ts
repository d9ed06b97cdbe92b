import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

type User = Awaited<ReturnType<TestServer['buildUser']>>

async function call(user: { token: string }, method: string, path: string, body?: object) {
  const answer = await server.inject(method, path, { token: user.token, ...(body && { body }) })
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

/** The events of the list, oldest first. */
async function eventsOf(path: string, user: { token: string } = server.root, query = '') {
  const answer = await server.inject('GET', `${path}/events`, {
    token: user.token,
    query: `sort=asc${query}`,
  })
  expect(answer.status).toBe(200)
  return answer.body as Json[]
}

const summaries = (events: readonly Json[]) =>
  events.map((event) => [event.action_name, event.target_type, event.target_title].join(' '))

/** A public project of root, with issues and snippets that only members see. */
async function buildFixture(visibility = 'public') {
  const project = await server.buildProject({ visibility })
  const path = `/projects/${project.id}`
  const issue = (body: object = {}, user: { token: string } = server.root) =>
    call(user, 'POST', `${path}/issues`, { title: 'Broken', ...body })
  const member = async (level: number): Promise<User> => {
    const user = await server.buildUser()
    await server.addMember(`projects/${project.id}`, user.id, level)
    return user
  }
  return { project, path, issue, member }
}

describe('issue events', () => {
  it('are recorded for state changes and comments only, with their action names', async () => {
    const { path, issue } = await buildFixture()
    const { id, iid } = await issue()
    const one = `${path}/issues/${iid}`
    await call(server.root, 'PUT', one, { title: 'Mended', labels: 'a', assignee_ids: [1] })
    await call(server.root, 'PUT', one, { state_event: 'close' })
    await call(server.root, 'PUT', one, { state_event: 'close' })
    await call(server.root, 'PUT', one, { state_event: 'reopen' })
    await call(server.root, 'POST', `${one}/notes`, { body: 'Hello' })
    const events = (await eventsOf(path)).slice(1)
    // The title is the current one.
    expect(summaries(events)).toEqual([
      'opened Issue Mended',
      'closed Issue Mended',
      'opened Issue Mended',
      'commented on Note ',
    ])
    expect(events[0]).toMatchObject({ title: null, target_id: id, target_iid: iid })
    expect(events[3]).toMatchObject({
      target_id: events[3]?.note.id,
      target_iid: events[3]?.note.id,
      target_title: null,
      note: { body: 'Hello', noteable_type: 'Issue', noteable_id: id, noteable_iid: iid },
    })
  })

  it('are distinct for discussions, which the filter `note` does not find', async () => {
    const { path, issue } = await buildFixture()
    const { iid } = await issue()
    const one = `${path}/issues/${iid}`
    await call(server.root, 'POST', `${one}/discussions`, { body: 'Why?' })
    await call(server.root, 'POST', `${one}/notes`, { body: 'So.' })
    const types = async (query: string) =>
      (await eventsOf(path, server.root, query)).map((event) => event.target_type)
    expect(await types('&action=commented')).toEqual(['DiscussionNote', 'Note'])
    expect(await types('&target_type=note')).toEqual(['Note'])
  })

  it('are visible to users who may read the issue', async () => {
    const { project, path, issue, member } = await buildFixture()
    const [guest, reporter] = [await member(10), await member(20)]
    const assignee = await server.buildUser()
    const outsider = await server.buildUser()
    const { iid } = await issue({ title: 'Hush', assignee_ids: [assignee.id] })
    await call(server.root, 'PUT', `${path}/issues/${iid}`, { confidential: true })
    await call(server.root, 'POST', `${path}/issues/${iid}/notes`, { body: 'Hush' })
    for (const list of [path, '/users/root']) {
      const visible = async (user: { token: string }) => {
        const events = await eventsOf(list, user, '&per_page=100')
        return events.filter(
          (event) => event.project_id === project.id && event.target_type !== null,
        ).length
      }
      expect(await visible(reporter)).toBe(2)
      expect(await visible(assignee)).toBe(2)
      expect(await visible(server.root)).toBe(2)
      expect(await visible(guest)).toBe(0)
      expect(await visible(outsider)).toBe(0)
    }
  })

  it('are hidden once the issue is confidential, also from the totals', async () => {
    const { path, issue } = await buildFixture()
    const { iid } = await issue()
    const outsider = await server.buildUser()
    const total = async () => {
      const answer = await server.inject('GET', `${path}/events`, { token: outsider.token })
      expect(answer.body).toHaveLength(Number(answer.headers['x-total']))
      return answer.body.length
    }
    expect(await total()).toBe(2)
    await call(server.root, 'PUT', `${path}/issues/${iid}`, { confidential: true })
    expect(await total()).toBe(1)
    await call(server.root, 'PUT', `${path}/issues/${iid}`, { confidential: false })
    expect(await total()).toBe(2)
  })

  it('are hidden when issues are disabled or restricted to members', async () => {
    const { path, issue, member } = await buildFixture()
    await issue()
    const [outsider, guest] = [await server.buildUser(), await member(10)]
    const visible = async (user: { token: string }) => {
      const ofUser = await eventsOf('/users/root', user, '&target_type=issue&per_page=100')
      const ofProject = await eventsOf(path, user, '&target_type=issue')
      expect(ofUser.filter((event) => `/projects/${event.project_id}` === path)).toHaveLength(
        ofProject.length,
      )
      return ofProject.length
    }
    const set = (level: string) => call(server.root, 'PUT', path, { issues_access_level: level })
    await set('private')
    expect([await visible(outsider), await visible(guest)]).toEqual([0, 1])
    await set('disabled')
    expect([await visible(outsider), await visible(guest)]).toEqual([0, 0])
  })

  it('are deleted with the issue', async () => {
    const { path, issue } = await buildFixture()
    const { iid } = await issue()
    await call(server.root, 'POST', `${path}/issues/${iid}/notes`, { body: 'Hello' })
    await call(server.root, 'DELETE', `${path}/issues/${iid}`)
    expect(summaries(await eventsOf(path))).toEqual(['created  '])
  })
})

describe('milestone events', () => {
  it('lose their target when the milestone is deleted', async () => {
    const { path } = await buildFixture()
    const { id } = await call(server.root, 'POST', `${path}/milestones`, { title: 'v1' })
    const one = `${path}/milestones/${id}`
    await call(server.root, 'PUT', one, { state_event: 'close', title: 'v2' })
    await call(server.root, 'PUT', one, { state_event: 'activate' })
    expect(summaries((await eventsOf(path)).slice(1))).toEqual([
      'opened Milestone v2',
      'closed Milestone v2',
      'opened Milestone v2',
    ])
    await call(server.root, 'DELETE', one)
    const events = (await eventsOf(path)).slice(1)
    expect(events.map((event) => event.action_name)).toEqual([
      'opened',
      'closed',
      'opened',
      'destroyed',
    ])
    for (const event of events) {
      expect(event).toMatchObject({ target_type: 'Milestone', target_id: null, target_iid: null })
    }
  })

  it('are visible to members, and to external users when the project is public', async () => {
    const { path } = await buildFixture()
    await call(server.root, 'POST', `${path}/milestones`, { title: 'v1' })
    const [internal, external] = [
      await server.buildUser(),
      await server.buildUser({ external: true }),
    ]
    const query = '&target_type=milestone'
    expect(await eventsOf(path, internal, query)).toHaveLength(1)
    expect(await eventsOf(path, external, query)).toHaveLength(1)
    await call(server.root, 'PUT', path, { visibility: 'internal' })
    expect(await eventsOf(path, internal, query)).toHaveLength(1)
  })
})

describe('snippet comment events', () => {
  it('are visible to users who see the snippet', async () => {
    const { path, member } = await buildFixture()
    const [guest, outsider] = [await member(10), await server.buildUser()]
    for (const visibility of ['private', 'public']) {
      const texts = { title: visibility, file_name: 'a', code: 'a', visibility }
      const { id } = await call(server.root, 'POST', `${path}/snippets`, texts)
      await call(server.root, 'POST', `${path}/snippets/${id}/notes`, { body: visibility })
    }
    const visible = async (user: { token: string }) =>
      (await eventsOf(path, user, '&action=commented')).map((event) => event.note.body)
    expect(await visible(guest)).toEqual(['private', 'public'])
    expect(await visible(outsider)).toEqual(['public'])
  })
})

describe('an event list', () => {
  it('runs the same number of queries for any kinds of events', async () => {
    const { path, issue } = await buildFixture()
    const outsider = await server.buildUser()
    const comment = async (author: User) => {
      const { iid } = await issue({}, author)
      await call(author, 'POST', `${path}/issues/${iid}/notes`, { body: 'Hello' })
    }
    const cost = async () => {
      const before = server.app.db.stats.queries
      await eventsOf(path, outsider)
      return server.app.db.stats.queries - before
    }
    await comment(await server.buildUser())
    await call(server.root, 'POST', `${path}/milestones`, { title: 'v1' })
    const few = await cost()
    for (let i = 0; i < 6; i += 1) await comment(await server.buildUser())
    expect(await cost()).toBe(few)
    expect(few).toBeLessThanOrEqual(8)
  })

  it('updates the last activity of the project at most once an hour', async () => {
    const { path, issue } = await buildFixture()
    const activity = async () => (await call(server.root, 'GET', path)).last_activity_at
    const before = await activity()
    server.advance(1_800_000)
    await issue()
    expect(await activity()).toBe(before)
    server.advance(1_800_000)
    await call(server.root, 'POST', `${path}/milestones`, { title: 'v1' })
    expect(Date.parse(await activity())).toBeGreaterThanOrEqual(Date.parse(before) + 3_600_000)
  })

  it('has at most 100 entries on a page', async () => {
    const answer = await server.inject('GET', '/events', {
      token: server.root.token,
      query: 'per_page=1000',
    })
    expect(answer.headers['x-per-page']).toBe('100')
  })
})
