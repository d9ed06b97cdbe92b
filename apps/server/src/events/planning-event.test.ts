import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../testing/test-server.ts'

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

/** What activity tells, the oldest first. */
async function eventsOf(path: string, user: { token: string } = server.root, query = '') {
  const answer = await server.inject('GET', `${path}/events`, {
    token: user.token,
    query: `sort=asc${query}`,
  })
  expect(answer.status).toBe(200)
  return answer.body as Json[]
}

const words = (events: readonly Json[]) =>
  events.map((event) => [event.action_name, event.target_type, event.target_title].join(' '))

/** A public project of root, and what only members see of it. */
async function buildPlace(visibility = 'public') {
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

describe('the events of an issue', () => {
  it('tell of what the catalogue lists, in its words, and of nothing else', async () => {
    const { path, issue } = await buildPlace()
    const { id, iid } = await issue()
    const one = `${path}/issues/${iid}`
    await call(server.root, 'PUT', one, { title: 'Mended', labels: 'a', assignee_ids: [1] })
    await call(server.root, 'PUT', one, { state_event: 'close' })
    await call(server.root, 'PUT', one, { state_event: 'close' })
    await call(server.root, 'PUT', one, { state_event: 'reopen' })
    await call(server.root, 'POST', `${one}/notes`, { body: 'Hello' })
    const events = (await eventsOf(path)).slice(1)
    // The title is that of today.
    expect(words(events)).toEqual([
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

  it('tell threads apart, which the filter `note` does not find', async () => {
    const { path, issue } = await buildPlace()
    const { iid } = await issue()
    const one = `${path}/issues/${iid}`
    await call(server.root, 'POST', `${one}/discussions`, { body: 'Why?' })
    await call(server.root, 'POST', `${one}/notes`, { body: 'So.' })
    const types = async (query: string) =>
      (await eventsOf(path, server.root, query)).map((event) => event.target_type)
    expect(await types('&action=commented')).toEqual(['DiscussionNote', 'Note'])
    expect(await types('&target_type=note')).toEqual(['Note'])
  })

  it('are seen with it, by those who may read it and by nobody else', async () => {
    const { project, path, issue, member } = await buildPlace()
    const [guest, reporter] = [await member(10), await member(20)]
    const assignee = await server.buildUser()
    const outsider = await server.buildUser()
    const { iid } = await issue({ title: 'Hush', assignee_ids: [assignee.id] })
    await call(server.root, 'PUT', `${path}/issues/${iid}`, { confidential: true })
    await call(server.root, 'POST', `${path}/issues/${iid}/notes`, { body: 'Hush' })
    for (const place of [path, '/users/root']) {
      const seen = async (user: { token: string }) => {
        const events = await eventsOf(place, user, '&per_page=100')
        return events.filter(
          (event) => event.project_id === project.id && event.target_type !== null,
        ).length
      }
      expect(await seen(reporter)).toBe(2)
      expect(await seen(assignee)).toBe(2)
      expect(await seen(server.root)).toBe(2)
      expect(await seen(guest)).toBe(0)
      expect(await seen(outsider)).toBe(0)
    }
  })

  it('are hidden once it is confidential, in the totals too', async () => {
    const { path, issue } = await buildPlace()
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

  it('are hidden where issues are switched off, or for members alone', async () => {
    const { path, issue, member } = await buildPlace()
    await issue()
    const [outsider, guest] = [await server.buildUser(), await member(10)]
    const seen = async (user: { token: string }) => {
      const ofUser = await eventsOf('/users/root', user, '&target_type=issue&per_page=100')
      const ofProject = await eventsOf(path, user, '&target_type=issue')
      expect(ofUser.filter((event) => `/projects/${event.project_id}` === path)).toHaveLength(
        ofProject.length,
      )
      return ofProject.length
    }
    const set = (level: string) => call(server.root, 'PUT', path, { issues_access_level: level })
    await set('private')
    expect([await seen(outsider), await seen(guest)]).toEqual([0, 1])
    await set('disabled')
    expect([await seen(outsider), await seen(guest)]).toEqual([0, 0])
  })

  it('go with it', async () => {
    const { path, issue } = await buildPlace()
    const { iid } = await issue()
    await call(server.root, 'POST', `${path}/issues/${iid}/notes`, { body: 'Hello' })
    await call(server.root, 'DELETE', `${path}/issues/${iid}`)
    expect(words(await eventsOf(path))).toEqual(['created  '])
  })
})

describe('the events of a milestone', () => {
  it('lose what they are about when it is deleted', async () => {
    const { path } = await buildPlace()
    const { id } = await call(server.root, 'POST', `${path}/milestones`, { title: 'v1' })
    const one = `${path}/milestones/${id}`
    await call(server.root, 'PUT', one, { state_event: 'close', title: 'v2' })
    await call(server.root, 'PUT', one, { state_event: 'activate' })
    expect(words((await eventsOf(path)).slice(1))).toEqual([
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

  it('are seen by insiders, and by external users where the project is public', async () => {
    const { path } = await buildPlace()
    await call(server.root, 'POST', `${path}/milestones`, { title: 'v1' })
    const [insider, external] = [
      await server.buildUser(),
      await server.buildUser({ external: true }),
    ]
    const query = '&target_type=milestone'
    expect(await eventsOf(path, insider, query)).toHaveLength(1)
    expect(await eventsOf(path, external, query)).toHaveLength(1)
    await call(server.root, 'PUT', path, { visibility: 'internal' })
    expect(await eventsOf(path, insider, query)).toHaveLength(1)
  })
})

describe('the events of comments on snippets', () => {
  it('are seen by those who see the snippet', async () => {
    const { path, member } = await buildPlace()
    const [guest, outsider] = [await member(10), await server.buildUser()]
    for (const visibility of ['private', 'public']) {
      const texts = { title: visibility, file_name: 'a', code: 'a', visibility }
      const { id } = await call(server.root, 'POST', `${path}/snippets`, texts)
      await call(server.root, 'POST', `${path}/snippets/${id}/notes`, { body: visibility })
    }
    const seen = async (user: { token: string }) =>
      (await eventsOf(path, user, '&action=commented')).map((event) => event.note.body)
    expect(await seen(guest)).toEqual(['private', 'public'])
    expect(await seen(outsider)).toEqual(['public'])
  })
})

describe('a list of events', () => {
  it('costs the same number of queries whatever is in it', async () => {
    const { path, issue } = await buildPlace()
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

  it('makes its project active, at most hourly', async () => {
    const { path, issue } = await buildPlace()
    const activity = async () => (await call(server.root, 'GET', path)).last_activity_at
    const before = await activity()
    server.advance(1_800_000)
    await issue()
    expect(await activity()).toBe(before)
    server.advance(1_800_000)
    await call(server.root, 'POST', `${path}/milestones`, { title: 'v1' })
    expect(Date.parse(await activity())).toBeGreaterThanOrEqual(Date.parse(before) + 3_600_000)
  })

  it('has at most 100 on a page', async () => {
    const answer = await server.inject('GET', '/events', {
      token: server.root.token,
      query: 'per_page=1000',
    })
    expect(answer.headers['x-per-page']).toBe('100')
  })
})
