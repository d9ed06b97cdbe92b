import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

type User = Awaited<ReturnType<TestServer['buildUser']>>

const call = (method: string, path: string, token?: string, body?: unknown) =>
  callAs(server, method, path, token, body)

describe.each(['projects', 'groups'] as const)('access requests of %s', (kind) => {
  const title = kind === 'projects' ? 'Project' : 'Group'

  const build = async (body: object = {}) => {
    const owner = await server.buildUser()
    const values = { visibility: 'public', ...body }
    const source =
      kind === 'projects'
        ? await server.buildProject(values, owner)
        : await server.buildGroup(values, owner)
    const user = await server.buildUser()
    return { owner, user, source, path: `/${kind}/${source.id}` }
  }
  const request = (path: string, { token }: User) => call('POST', `${path}/access_requests`, token)
  const pending = async (path: string, { token }: User) =>
    (await call('GET', `${path}/access_requests`, token)).body.map(({ id }: Json) => id)

  describe('POST /access_requests', () => {
    it('returns 201 with the pending request, which is not a membership', async () => {
      const { owner, user, path } = await build()
      const { status, body } = await request(path, user)
      expect(status).toBe(201)
      const { id, username, name } = user
      const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      expect(body).toEqual({
        id,
        username,
        name,
        state: 'active',
        created_at: at,
        requested_at: at,
      })
      expect((await call('GET', `${path}/members/${user.id}`, owner.token)).status).toBe(404)
      expect((await call('GET', `${path}/members/all`, owner.token)).body).toHaveLength(1)
    })

    it('returns 400 for a second request', async () => {
      const { user, owner, path } = await build()
      const [first, second] = await Promise.all([request(path, user), request(path, user)])
      expect([first.status, second.status].sort()).toEqual([201, 400])
      const third = await request(path, user)
      expect([third.status, third.body]).toEqual([
        400,
        { message: { user_id: ['already exists in source'] } },
      ])
      expect(await pending(path, owner)).toEqual([user.id])
    })

    it('returns 403 to members, also inherited ones and administrators', async () => {
      const { owner, user, path } = await build()
      await server.addMember(path.slice(1), user.id, 10)
      for (const member of [owner, user]) {
        expect((await request(path, member)).status).toBe(403)
      }
      await server.addMember(path.slice(1), server.root.id, 10)
      expect((await call('POST', `${path}/access_requests`, server.root.token)).status).toBe(403)
    })

    it('returns 403 where request_access_enabled is false', async () => {
      const { owner, user, path } = await build()
      await call('PUT', path, owner.token, { request_access_enabled: false })
      expect((await request(path, user)).status).toBe(403)
      expect(await pending(path, owner)).toEqual([])
    })

    it('returns 404 for what the caller cannot see, 401 without a token, 403 to external users', async () => {
      const { user, path } = await build({ visibility: 'private' })
      const hidden = await request(path, user)
      expect([hidden.status, hidden.body]).toEqual([404, { message: `404 ${title} Not Found` }])
      const open = await build()
      expect((await call('POST', `${open.path}/access_requests`)).status).toBe(401)
      const external = await server.buildUser({ external: true })
      expect((await request(open.path, external)).status).toBe(403)
    })

    it('is possible again after the request was denied and after the membership ended', async () => {
      const { owner, user, path } = await build()
      await request(path, user)
      await call('DELETE', `${path}/access_requests/${user.id}`, owner.token)
      expect((await request(path, user)).status).toBe(201)
      await call('PUT', `${path}/access_requests/${user.id}/approve`, owner.token)
      await call('DELETE', `${path}/members/${user.id}`, owner.token)
      expect((await request(path, user)).status).toBe(201)
    })
  })

  describe('GET /access_requests', () => {
    it('lists pending requests, oldest first, in pages with a total', async () => {
      const { owner, user, path } = await build()
      const other = await server.buildUser()
      await request(path, other)
      await request(path, user)
      expect(await pending(path, owner)).toEqual([other.id, user.id])
      const page = await call('GET', `${path}/access_requests?per_page=1&page=2`, owner.token)
      expect(page.body).toEqual([expect.objectContaining({ username: user.username })])
      expect(page.headers).toMatchObject({ 'x-total': '2', 'x-total-pages': '2' })
    })

    it('returns 403 to members below the level that decides, and to the user who asks', async () => {
      const { user, path } = await build()
      await request(path, user)
      const member = await server.buildUser()
      await server.addMember(path.slice(1), member.id, kind === 'projects' ? 30 : 40)
      for (const { token } of [user, member]) {
        expect((await call('GET', `${path}/access_requests`, token)).status).toBe(403)
        const one = `${path}/access_requests/${user.id}`
        expect((await call('PUT', `${one}/approve`, token)).status).toBe(403)
      }
      const denied = await call('DELETE', `${path}/access_requests/${user.id}`, member.token)
      expect(denied.status).toBe(403)
    })

    it('takes the same number of queries however many there are', async () => {
      const { owner, user, path } = await build()
      const queries = async () => {
        await pending(path, owner)
        const before = server.app.db.stats.queries
        await pending(path, owner)
        return server.app.db.stats.queries - before
      }
      await request(path, user)
      const few = await queries()
      for (let count = 0; count < 3; count += 1) await request(path, await server.buildUser())
      expect(await queries()).toBe(few)
    })
  })

  describe('PUT /access_requests/:user_id/approve', () => {
    it('returns 200 and makes the user a Developer', async () => {
      const { owner, user, path } = await build()
      const asked = await request(path, user)
      const one = `${path}/access_requests/${user.id}/approve`
      const { status, body } = await call('PUT', one, owner.token)
      expect(status).toBe(200)
      const { requested_at, ...requester } = asked.body
      expect(body).toEqual({ ...requester, access_level: 30 })
      const member = await call('GET', `${path}/members/${user.id}`, owner.token)
      expect(member.body).toMatchObject({ id: user.id, access_level: 30, expires_at: null })
      expect(await pending(path, owner)).toEqual([])
      const again = await call('PUT', one, owner.token)
      expect([again.status, again.body]).toEqual([404, { message: '404 Access Request Not Found' }])
    })

    it('takes the level of access_level, and returns 400 for one that does not exist', async () => {
      const { owner, user, path } = await build()
      await request(path, user)
      const approve = (access_level: unknown) =>
        call('PUT', `${path}/access_requests/${user.id}/approve`, owner.token, { access_level })
      for (const level of [0, 15, 60, 'x', ...(kind === 'projects' ? [50] : [])]) {
        expect((await approve(level)).status, String(level)).toBe(400)
      }
      expect((await approve('10')).body.access_level).toBe(10)
    })

    it('is done once by two who decide at once', async () => {
      const { owner, user, path } = await build()
      await request(path, user)
      const one = `${path}/access_requests/${user.id}`
      const answers = await Promise.all([
        call('PUT', `${one}/approve`, owner.token),
        call('PUT', `${one}/approve`, server.root.token),
        call('DELETE', one, owner.token),
      ])
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
      expect(answers.every(({ status }) => status < 500)).toBe(true)
    })
  })

  describe('DELETE /access_requests/:user_id', () => {
    it('returns 204 to those who decide and to the user themselves', async () => {
      const { owner, user, path } = await build()
      for (const { token } of [owner, user]) {
        await request(path, user)
        const { status, text } = await call('DELETE', `${path}/access_requests/${user.id}`, token)
        expect([status, text]).toEqual([204, ''])
      }
      expect(await pending(path, owner)).toEqual([])
    })

    it('returns 404 for a user without a request, members included', async () => {
      const { owner, user, path } = await build()
      for (const id of [user.id, owner.id, 999_999]) {
        const { status, body } = await call('DELETE', `${path}/access_requests/${id}`, owner.token)
        expect([status, body]).toEqual([404, { message: '404 Access Request Not Found' }])
      }
    })
  })

  describe('todos', () => {
    const todosOf = async ({ token }: { token: string }, query = '') =>
      (await call('GET', `/todos?action=member_access_requested${query}`, token)).body

    it('go to those who decide, and are done when no request is pending', async () => {
      const { owner, user, path, source } = await build()
      const [low, blocked, other] = [
        await server.buildUser(),
        await server.buildUser(),
        await server.buildUser(),
      ]
      const decides = kind === 'projects' ? 40 : 50
      await server.addMember(path.slice(1), low.id, decides - 10)
      await server.addMember(path.slice(1), blocked.id, decides)
      await call('POST', `/users/${blocked.id}/block`, server.root.token)
      await request(path, user)
      await request(path, other)
      const [todo, ...more] = await todosOf(owner)
      expect(more).toEqual([])
      const project = kind === 'projects'
      const full = project ? source.path_with_namespace : source.full_path
      expect(todo).toMatchObject({
        action_name: 'member_access_requested',
        author: { id: user.id },
        target_type: project ? 'Project' : 'Namespace',
        target: { id: source.id, path: source.path },
        target_url: `${source.web_url}/-/${project ? 'project' : 'group'}_members`,
        body: full,
        state: 'pending',
        [project ? 'project' : 'group']: { id: source.id },
      })
      const type = project ? 'Project' : 'Namespace'
      expect(await todosOf(owner, `&type=${type}`)).toEqual([todo])
      expect(await todosOf(low)).toEqual([])
      await call('POST', `/users/${blocked.id}/unblock`, server.root.token)
      expect(await todosOf(blocked)).toEqual([])
      await call('DELETE', `${path}/access_requests/${user.id}`, owner.token)
      expect(await todosOf(owner)).toEqual([todo])
      await call('PUT', `${path}/access_requests/${other.id}/approve`, owner.token)
      expect(await todosOf(owner)).toEqual([])
      expect(await todosOf(owner, '&state=done')).toMatchObject([{ id: todo.id }])
    })

    it('are hidden from a member who no longer decides', async () => {
      const { user, path } = await build()
      const decider = await server.buildUser()
      await server.addMember(path.slice(1), decider.id, kind === 'projects' ? 40 : 50)
      await request(path, user)
      expect(await todosOf(decider)).toHaveLength(1)
      const terms = { access_level: 30 }
      await call('PUT', `${path}/members/${decider.id}`, server.root.token, terms)
      expect(await todosOf(decider)).toEqual([])
    })
  })

  it('end when the user is added as a member', async () => {
    const { owner, user, path } = await build()
    await request(path, user)
    await server.addMember(path.slice(1), user.id, 20)
    expect(await pending(path, owner)).toEqual([])
  })

  it('end when the user is deleted', async () => {
    const { owner, user, path } = await build()
    await request(path, user)
    await call('DELETE', `/users/${user.id}`, server.root.token)
    await server.runJobs()
    expect(await pending(path, owner)).toEqual([])
  })
})

describe('access requests of a group', () => {
  it('are refused to members of the group above', async () => {
    const owner = await server.buildUser()
    const parent = await server.buildGroup({ visibility: 'public' }, owner)
    const child = await server.buildGroup({ visibility: 'public', parent_id: parent.id }, owner)
    const member = await server.buildUser()
    await server.addMember(`groups/${parent.id}`, member.id, 10)
    const { status } = await call('POST', `/groups/${child.id}/access_requests`, member.token)
    expect(status).toBe(403)
  })
})

describe('access requests of a project', () => {
  it('give todos to the owners of the group above as well', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({ visibility: 'public' }, owner)
    const body = { visibility: 'public', namespace_id: group.id }
    const project = await server.buildProject(body, server.root)
    const user = await server.buildUser()
    await call('POST', `/projects/${project.id}/access_requests`, user.token)
    const todos = await call('GET', '/todos', owner.token)
    expect(todos.body).toMatchObject([{ target_type: 'Project', target: { id: project.id } }])
  })

  it('cannot be approved with a level below that of the group above: 400', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({ visibility: 'public' }, owner)
    const project = await server.buildProject(
      { visibility: 'public', namespace_id: group.id },
      owner,
    )
    const user = await server.buildUser()
    const path = `/projects/${project.id}/access_requests`
    await call('POST', path, user.token)
    await server.addMember(`groups/${group.id}`, user.id, 40)
    const low = await call('PUT', `${path}/${user.id}/approve`, owner.token)
    expect([low.status, Object.keys(low.body.message)]).toEqual([400, ['access_level']])
    expect((await call('GET', path, owner.token)).body).toHaveLength(1)
  })

  it('cannot be approved where the group locks memberships: 405', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({ visibility: 'public' }, owner)
    const body = { visibility: 'public', namespace_id: group.id }
    const project = await server.buildProject(body, owner)
    const user = await server.buildUser()
    const path = `/projects/${project.id}/access_requests`
    await call('POST', path, user.token)
    await call('PUT', `/groups/${group.id}`, owner.token, { membership_lock: true })
    expect((await call('PUT', `${path}/${user.id}/approve`, owner.token)).status).toBe(405)
  })

  it('are read-only in an archived project: 403, also for owners and administrators', async () => {
    const owner = await server.buildUser()
    const project = await server.buildProject({ visibility: 'public' }, owner)
    const [user, late] = [await server.buildUser(), await server.buildUser()]
    const path = `/projects/${project.id}/access_requests`
    await call('POST', path, user.token)
    await call('POST', `/projects/${project.id}/archive`, owner.token)
    expect((await call('POST', path, late.token)).status).toBe(403)
    for (const { token } of [owner, server.root]) {
      expect((await call('PUT', `${path}/${user.id}/approve`, token)).status).toBe(403)
      expect((await call('DELETE', `${path}/${user.id}`, token)).status).toBe(403)
      expect((await call('GET', path, token)).body).toHaveLength(1)
    }
  })
})
