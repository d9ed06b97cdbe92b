import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const post = (path: string, token?: string, body?: unknown) =>
  server.inject('POST', path, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  })

describe('POST /projects/:id/star and /unstar', () => {
  it('stars and unstars once', async () => {
    const project = await server.buildProject({ visibility: 'public' })
    const [one, two] = [await server.buildUser(), await server.buildUser()]
    const path = `/projects/${project.id}`
    const first = await post(`${path}/star`, one.token)
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ id: project.id, star_count: 1 })
    expect((await post(`${path}/star`, two.token)).body.star_count).toBe(2)
    const again = await post(`${path}/star`, one.token)
    expect([again.status, again.text]).toEqual([304, ''])
    expect((await post(`${path}/unstar`, one.token)).body.star_count).toBe(1)
    expect((await post(`${path}/unstar`, one.token)).status).toBe(304)
  })

  it('returns 401 without a token, 404 for a hidden project', async () => {
    const open = await server.buildProject({ visibility: 'public' })
    const hidden = await server.buildProject()
    const user = await server.buildUser()
    expect((await post(`/projects/${open.id}/star`)).status).toBe(401)
    expect((await post(`/projects/${hidden.id}/star`, user.token)).status).toBe(404)
  })
})

describe('POST /projects/:id/archive and /unarchive', () => {
  it('is allowed for owners and administrators, and idempotent', async () => {
    const owner = await server.buildUser()
    const project = await server.buildProject({}, owner)
    const maintainer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, maintainer.id, 40)
    const path = `/projects/${project.id}`
    expect((await post(`${path}/archive`, maintainer.token)).status).toBe(403)
    for (const token of [owner.token, server.root.token]) {
      const { status, body } = await post(`${path}/archive`, token)
      expect([status, body.archived]).toEqual([201, true])
    }
    const back = await post(`${path}/unarchive`, owner.token)
    expect([back.status, back.body.archived]).toEqual([201, false])
  })
})

describe('POST /projects/:id/share', () => {
  it('gives members of the group access, at most at the level of the share', async () => {
    const project = await server.buildProject()
    const group = await server.buildGroup()
    const below = await server.buildGroup({ parent_id: group.id })
    const [owner, guest, stranger] = [
      await server.buildUser(),
      await server.buildUser(),
      await server.buildUser(),
    ]
    await server.addMember(`groups/${group.id}`, owner.id, 50)
    await server.addMember(`groups/${group.id}`, guest.id, 10)
    const body = { group_id: below.id, group_access: 30 }
    const share = await post(`/projects/${project.id}/share`, server.root.token, body)
    expect(share.status).toBe(201)
    expect(share.body).toEqual({
      id: expect.any(Number),
      project_id: project.id,
      group_id: below.id,
      group_access: 30,
      expires_at: null,
    })
    const levels = await server.inject('GET', `/projects/${project.id}/members/all`, {
      token: server.root.token,
    })
    const byId = Object.fromEntries(
      levels.body.map((member: { id: number; access_level: number }) => [
        member.id,
        member.access_level,
      ]),
    )
    expect(byId).toMatchObject({ [owner.id]: 30, [guest.id]: 10 })
    const read = (token: string) => server.inject('GET', `/projects/${project.id}`, { token })
    expect((await read(owner.token)).status).toBe(200)
    expect((await read(stranger.token)).status).toBe(404)
    expect((await read(owner.token)).body.shared_with_groups).toEqual([
      {
        group_id: below.id,
        group_name: below.name,
        group_full_path: below.full_path,
        group_access_level: 30,
        expires_at: null,
      },
    ])
    const edit = await server.inject('PUT', `/projects/${project.id}`, {
      token: owner.token,
      body: { description: 'no' },
    })
    expect(edit.status).toBe(403)
  })

  it('returns 409 the second time, 404 for hidden groups, 400 for invalid values', async () => {
    const owner = await server.buildUser()
    const project = await server.buildProject({}, owner)
    const open = await server.buildGroup({ visibility: 'public' })
    const hidden = await server.buildGroup()
    const path = `/projects/${project.id}/share`
    const share = (group_id: unknown, group_access: unknown = 10, expires_at?: string) =>
      post(path, owner.token, { group_id, group_access, expires_at })
    const shared = await share(open.id, 10, '2999-01-31T00:00:00Z')
    expect([shared.status, shared.body.expires_at]).toEqual([201, '2999-01-31'])
    expect((await share(open.id)).status).toBe(409)
    const hiddenGroup = await share(hidden.id)
    expect([hiddenGroup.status, hiddenGroup.body]).toEqual([
      404,
      { message: '404 Group Not Found' },
    ])
    expect((await share(open.id, 50)).status).toBe(400)
    expect((await share('x')).status).toBe(400)
    expect((await share(open.id, 10, '2020-01-01')).status).toBe(400)
    expect((await share(open.id, 10, 'soon')).body).toEqual({ error: 'expires_at is invalid' })
  })

  it('returns 400 when the group locks sharing', async () => {
    const group = await server.buildGroup({ share_with_group_lock: true })
    const project = await server.buildProject({ namespace_id: group.id })
    const other = await server.buildGroup()
    const { status, body } = await post(`/projects/${project.id}/share`, server.root.token, {
      group_id: other.id,
      group_access: 10,
    })
    expect(status).toBe(400)
    expect(body).toEqual({ message: 'The project sharing with group is disabled' })
  })

  it('expires after its last day', async () => {
    const project = await server.buildProject()
    const group = await server.buildGroup()
    const user = await server.buildUser()
    await server.addMember(`groups/${group.id}`, user.id, 30)
    const today = new Date(server.app.now()).toISOString().slice(0, 10)
    await post(`/projects/${project.id}/share`, server.root.token, {
      group_id: group.id,
      group_access: 30,
      expires_at: today,
    })
    const read = () => server.inject('GET', `/projects/${project.id}`, { token: user.token })
    expect((await read()).status).toBe(200)
    server.advance(86_400_000)
    expect((await read()).status).toBe(404)
  })
})

describe('DELETE /projects/:id/share/:group_id', () => {
  it('removes the share, and returns 404 when there is none', async () => {
    const project = await server.buildProject()
    const group = await server.buildGroup()
    const { token } = server.root
    await post(`/projects/${project.id}/share`, token, { group_id: group.id, group_access: 10 })
    const path = `/projects/${project.id}/share/${group.id}`
    expect((await server.inject('DELETE', path, { token })).status).toBe(204)
    const again = await server.inject('DELETE', path, { token })
    expect([again.status, again.body]).toEqual([404, { message: '404 Group Link Not Found' }])
  })
})

describe('PUT /projects/:id/transfer', () => {
  const transfer = (id: number, token: string, namespace: unknown) =>
    server.inject('PUT', `/projects/${id}/transfer`, { token, body: { namespace } })

  it('moves a project, by id or path, and narrows its visibility', async () => {
    const owner = await server.buildUser()
    const project = await server.buildProject({ visibility: 'public' }, owner)
    const group = await server.buildGroup({ visibility: 'internal' })
    await server.addMember(`groups/${group.id}`, owner.id, 30)
    const moved = await transfer(project.id, owner.token, group.full_path)
    expect(moved.status).toBe(200)
    expect(moved.body).toMatchObject({
      path_with_namespace: `${group.full_path}/${project.path}`,
      visibility: 'internal',
      namespace: { id: group.id },
    })
    const back = await transfer(project.id, server.root.token, project.namespace.id)
    expect(back.body.path_with_namespace).toBe(project.path_with_namespace)
  })

  it('removes the access through the old group', async () => {
    const [from, to] = [await server.buildGroup(), await server.buildGroup()]
    const member = await server.buildUser()
    await server.addMember(`groups/${from.id}`, member.id, 50)
    const project = await server.buildProject({ namespace_id: from.id })
    await transfer(project.id, server.root.token, to.id)
    const read = await server.inject('GET', `/projects/${project.id}`, { token: member.token })
    expect(read.status).toBe(404)
  })

  it('returns 404 for a namespace that the caller may not create projects in, 403 below owner', async () => {
    const owner = await server.buildUser()
    const project = await server.buildProject({}, owner)
    const group = await server.buildGroup()
    const unknown = await transfer(project.id, owner.token, group.id)
    expect([unknown.status, unknown.body]).toEqual([404, { message: '404 Namespace Not Found' }])
    const maintainer = await server.buildUser()
    await server.addMember(`projects/${project.id}`, maintainer.id, 40)
    expect((await transfer(project.id, maintainer.token, maintainer.username)).status).toBe(403)
  })

  it('returns 400 for the same namespace and for a taken name', async () => {
    const owner = await server.buildUser()
    const project = await server.buildProject({}, owner)
    const same = await transfer(project.id, owner.token, owner.username)
    expect(same.status).toBe(400)
    expect(same.body.message).toMatch(/^Failed to transfer project /)
    const group = await server.buildGroup()
    await server.buildProject({ namespace_id: group.id, name: 'X', path: project.path })
    const clash = await transfer(project.id, server.root.token, group.id)
    expect(clash.status).toBe(400)
    expect((await transfer(project.id, owner.token, '')).status).toBe(400)
  })
})
