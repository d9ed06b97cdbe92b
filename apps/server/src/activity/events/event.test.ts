import { recordEvent } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkTree, mustGit, remoteUrl } from '../../testing/git/git-client.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import { removeOldEventsJob } from './event.jobs.ts'

type User = Awaited<ReturnType<TestServer['buildUser']>>

let server: TestServer
let base: string
beforeAll(async () => {
  server = await buildTestServer()
  base = await server.url()
})
afterAll(() => server.close())

const day = 86_400_000

async function record(
  authorId: number,
  projectId: number,
  event: Partial<Parameters<typeof recordEvent>[1]> = {},
): Promise<void> {
  const defaults = { projectId, authorId, action: 'created', createdAt: server.app.now() } as const
  await server.app.db.transaction((tx) => recordEvent(tx, { ...defaults, ...event }))
}

async function list(path: string, user: { token: string }, query = ''): Promise<Json[]> {
  const answer = await server.inject('GET', path, { token: user.token, query })
  expect(answer.status).toBe(200)
  return answer.body
}

/** Only the events of this file: creating a project may record some of its own. */
async function listPushes(path: string, user: { token: string }): Promise<Json[]> {
  return list(path, user, 'action=pushed')
}

async function pushSomething(project: Json, user: User): Promise<void> {
  const tree = await buildWorkTree()
  const remote = remoteUrl(base, project.path_with_namespace, user.username, user.token)
  await mustGit(tree, 'push', remote, 'main')
}

describe('GET /events', () => {
  it("lists the caller's own events, newest first", async () => {
    const [ada, bob] = [await server.buildUser(), await server.buildUser()]
    const project = await server.buildProject({ visibility: 'public' }, ada)
    const now = server.app.now()
    await record(ada.id, project.id, { action: 'left', createdAt: now + 1 })
    await record(ada.id, project.id, { action: 'joined', createdAt: now + 2 })
    await record(bob.id, project.id, { action: 'left', createdAt: now + 3 })
    const events = await list('/events', ada)
    expect(events.map((event) => event.action_name)).toEqual(['joined', 'left', 'created'])
    expect(events.every((event) => event.author_id === ada.id)).toBe(true)
    const rising = await list('/events', ada, 'sort=asc')
    expect(rising.map((event) => event.id)).toEqual(events.map((event) => event.id).toReversed())
  })

  it('filters by action, target type and days', async () => {
    const ada = await server.buildUser()
    const project = await server.buildProject({}, ada)
    const noon = Date.UTC(2026, 2, 10, 12)
    await record(ada.id, project.id, { action: 'left', createdAt: noon })
    await record(ada.id, project.id, { action: 'joined', createdAt: noon + day })
    const path = `/projects/${project.id}/issues`
    const body = { title: 'Broken' }
    const { body: issue } = await server.inject('POST', path, { token: ada.token, body })
    await server.inject('POST', `${path}/${issue.iid}/notes`, {
      token: ada.token,
      body: { body: 'Why?' },
    })
    const count = async (query: string) => (await list('/events', ada, query)).length
    expect(await count('action=created&target_type=issue')).toBe(1)
    expect(await count('target_type=issue')).toBe(1)
    expect(await count('action=closed&target_type=issue')).toBe(0)
    expect(await count('target_type=note')).toBe(1)
    expect(await count('action=left')).toBe(1)
    expect(await count('before=2026-03-10')).toBe(0)
    expect(await count('before=2026-03-11')).toBe(1)
    expect(await count('before=2026-03-11T00:00:00Z')).toBe(1)
    expect(await count('before=2026-03-12')).toBe(2)
    expect(await count('after=2026-03-09&before=2026-03-11')).toBe(1)
    expect(await count('after=2026-03-10&before=2026-03-12')).toBe(1)
    expect(await count('after=2026-03-11&before=2026-04-01')).toBe(0)
  })

  it('is paginated', async () => {
    const ada = await server.buildUser()
    const project = await server.buildProject({}, ada)
    for (let i = 0; i < 3; i += 1) await record(ada.id, project.id, { action: 'left' })
    const query = 'action=left&per_page=2&page=2'
    const answer = await server.inject('GET', '/events', { token: ada.token, query })
    expect(answer.body).toHaveLength(1)
    expect(answer.headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2', 'x-page': '2' })
  })

  it.each(['action=danced', 'target_type=cat', 'before=yesterday', 'after=2026-02-30', 'sort=up'])(
    'returns 400 for %s',
    async (query) => {
      const answer = await server.inject('GET', '/events', { token: server.root.token, query })
      expect(answer.status).toBe(400)
      expect(answer.body.error).toMatch(/invalid|valid value/)
    },
  )

  it('requires a token with read_user or api', async () => {
    expect((await server.inject('GET', '/events')).status).toBe(401)
    const enough = await server.buildToken(server.root.id, ['read_user'])
    expect((await server.inject('GET', '/events', { token: enough })).status).toBe(200)
    const other = await server.buildToken(server.root.id, ['read_repository'])
    const answer = await server.inject('GET', '/events', { token: other })
    expect(answer.status).toBe(403)
    expect(answer.body.error).toBe('insufficient_scope')
  })
})

describe('GET /users/:id/events', () => {
  it('accepts an id or a username, and returns 404 for an unknown one', async () => {
    const ada = await server.buildUser()
    const project = await server.buildProject({}, ada)
    await record(ada.id, project.id, { action: 'merged' })
    for (const ref of [ada.id, ada.username, ada.username.toUpperCase()]) {
      expect(await list(`/users/${ref}/events`, ada, 'action=merged')).toHaveLength(1)
    }
    const { token } = ada
    expect((await server.inject('GET', '/users/nobody/events', { token })).status).toBe(404)
    expect((await server.inject('GET', '/users/99999999/events', { token })).status).toBe(404)
    expect((await server.inject('GET', '/users/%00/events', { token })).status).toBe(404)
  })

  it('hides events of projects that the caller cannot see', async () => {
    const [ada, bob] = [await server.buildUser(), await server.buildUser()]
    const hidden = await server.buildProject({}, ada)
    const open = await server.buildProject({ visibility: 'internal' }, ada)
    await record(ada.id, hidden.id, { action: 'closed' })
    await record(ada.id, open.id, { action: 'closed' })
    const visibleTo = (user: { token: string }) =>
      list(`/users/${ada.id}/events`, user, 'action=closed')
    expect((await visibleTo(bob)).map((event) => event.project_id)).toEqual([open.id])
    expect(await visibleTo(ada)).toHaveLength(2)
    expect(await visibleTo(server.root)).toHaveLength(2)
    await server.addMember(`projects/${hidden.id}`, bob.id, 10)
    expect(await visibleTo(bob)).toHaveLength(2)
  })

  it('hides pushes from users who may not read the code', async () => {
    const [ada, guest, reporter] = [
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
    ]
    const project = await server.buildProject({}, ada)
    await pushSomething(project, ada)
    await server.addMember(`projects/${project.id}`, guest.id, 10)
    await server.addMember(`projects/${project.id}`, reporter.id, 20)
    for (const path of [`/users/${ada.id}/events`, `/projects/${project.id}/events`]) {
      expect(await listPushes(path, guest)).toHaveLength(0)
      expect(await listPushes(path, reporter)).toHaveLength(1)
      expect(await listPushes(path, server.root)).toHaveLength(1)
    }
  })

  it('hides the events of a private profile from others', async () => {
    const ada = await server.buildUser({ private_profile: true })
    const project = await server.buildProject({ visibility: 'public' }, ada)
    await record(ada.id, project.id, { action: 'closed' })
    const path = `/users/${ada.id}/events`
    expect(await list(path, await server.buildUser(), 'action=closed')).toHaveLength(0)
    expect(await list(path, ada, 'action=closed')).toHaveLength(1)
  })
})

describe('GET /projects/:project_id/events', () => {
  it('lists the events of all users in the project', async () => {
    const [ada, bob] = [await server.buildUser(), await server.buildUser()]
    const project = await server.buildProject({ visibility: 'public' }, ada)
    const other = await server.buildProject({ visibility: 'public' }, ada)
    await record(ada.id, project.id, { action: 'closed' })
    await record(bob.id, project.id, { action: 'closed' })
    await record(bob.id, other.id, { action: 'closed' })
    const path = `/projects/${encodeURIComponent(project.path_with_namespace)}/events`
    const events = await list(path, bob, 'action=closed')
    expect(events.map((event) => event.author_id)).toEqual([bob.id, ada.id])
    expect((await server.inject('GET', path)).status).toBe(401)
  })

  it('returns 404 when the project is hidden', async () => {
    const project = await server.buildProject()
    const { token } = await server.buildUser()
    const answer = await server.inject('GET', `/projects/${project.id}/events`, { token })
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ message: '404 Project Not Found' })
  })

  it('runs the same number of queries for any number of events', async () => {
    const ada = await server.buildUser()
    const project = await server.buildProject({}, ada)
    const cost = async () => {
      const before = server.app.db.stats.queries
      await list(`/projects/${project.id}/events`, ada)
      return server.app.db.stats.queries - before
    }
    await record(ada.id, project.id)
    const few = await cost()
    for (let i = 0; i < 15; i += 1) {
      const author = await server.buildUser()
      await record(author.id, project.id)
    }
    expect(await cost()).toBe(few)
    expect(few).toBeLessThanOrEqual(6)
  })
})

describe('the daily event cleanup', () => {
  it('deletes events older than two years, and no others', async () => {
    const ada = await server.buildUser()
    const project = await server.buildProject({}, ada)
    const now = server.app.now()
    await record(ada.id, project.id, { action: 'destroyed', createdAt: now - 731 * day })
    await record(ada.id, project.id, { action: 'destroyed', createdAt: now - 729 * day })
    await removeOldEventsJob.run(server.app, null)
    expect(await list('/events', ada, 'action=destroyed')).toHaveLength(1)
  })
})

describe('GET /groups/:id/events', () => {
  it('lists what was done in the projects of the group and its subgroups, as far as it is seen', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const subgroup = await server.buildGroup({ visibility: 'private', parent_id: group.id })
    const [ada, bob] = [await server.buildUser(), await server.buildUser()]
    await server.addMember(`groups/${group.id}`, ada.id, 30)
    const build = (namespace: Json, visibility: string) =>
      server.buildProject({ namespace_id: namespace.id, visibility }, server.root)
    const open = await build(group, 'public')
    const hidden = await build(subgroup, 'private')
    const elsewhere = await server.buildProject({ visibility: 'public' }, ada)
    const now = server.app.now()
    for (const [at, project] of [open, hidden, elsewhere, open].entries()) {
      await record(ada.id, project.id, { action: 'merged', createdAt: now + at })
    }
    const path = `/groups/${group.id}/events`
    const projects = async (user: { token: string }, query = '') =>
      (await list(path, user, `action=merged${query}`)).map((event) => event.project_id)
    expect(await projects(ada)).toEqual([open.id, hidden.id, open.id])
    expect(await projects(ada, '&sort=asc&per_page=2')).toEqual([open.id, hidden.id])
    expect(await projects(bob)).toEqual([open.id, open.id])
    const query = 'action=merged&per_page=2'
    const { headers } = await server.inject('GET', path, { token: ada.token, query })
    expect([headers['x-next-page'], headers['x-total']]).toEqual(['2', undefined])
    const hiddenGroup = `/groups/${subgroup.id}/events`
    expect((await server.inject('GET', hiddenGroup, { token: bob.token })).status).toBe(404)
    expect((await server.inject('GET', path)).status).toBe(401)
  })

  it.each(['asc', 'desc'])(
    'has one order over all pages, also of many projects (%s)',
    async (sort) => {
      const group = await server.buildGroup()
      const user = await server.buildUser()
      const now = server.app.now()
      const times: number[] = []
      for (let project = 0; project < 4; project += 1) {
        const { id } = await server.buildProject({ namespace_id: group.id }, server.root)
        // The third has the newest and the oldest ones, the last one has one alone.
        for (const at of [[10, 11, 12], [20, 21, 22], [1, 2, 30, 31, 32], [25]][project] ?? []) {
          await record(user.id, id, { action: 'merged', createdAt: now + at * 1000 })
          times.push(now + at * 1000)
        }
      }
      const wanted = times.sort((a, b) => (sort === 'asc' ? a - b : b - a))
      for (const perPage of [1, 2, 3, 5]) {
        const found: number[] = []
        for (let page = 1; (page - 1) * perPage < wanted.length; page += 1) {
          const query = `action=merged&sort=${sort}&per_page=${perPage}&page=${page}`
          const events = await list(`/groups/${group.id}/events`, server.root, query)
          found.push(...events.map((event) => Date.parse(event.created_at)))
        }
        expect(found).toEqual(wanted)
      }
    },
  )

  it('takes as many queries for many projects as for one', async () => {
    const counts: number[] = []
    for (const size of [1, 4]) {
      const group = await server.buildGroup()
      const user = await server.buildUser()
      for (let at = 0; at < size; at += 1) {
        const project = await server.buildProject({ namespace_id: group.id }, server.root)
        await record(user.id, project.id, { action: 'left' })
      }
      const read = () => list(`/groups/${group.id}/events`, server.root)
      await read()
      const before = server.app.db.stats.queries
      await read()
      counts.push(server.app.db.stats.queries - before)
    }
    expect(counts[1]).toBe(counts[0])
  })
})
