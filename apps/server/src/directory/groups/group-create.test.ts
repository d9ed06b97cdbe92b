import { GroupDetails } from '@stithy/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const create = (token: string | undefined, body: unknown) =>
  server.inject('POST', '/groups', { ...(token === undefined ? {} : { token }), body })
const show = (id: number | string, token?: string, query = '') =>
  server.inject('GET', `/groups/${id}`, { ...(token === undefined ? {} : { token }), query })

describe('POST /groups', () => {
  it('creates a private group and makes the creator its owner', async () => {
    const user = await server.buildUser()
    const { status, body } = await create(user.token, { name: 'My Group', path: 'my-group' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'My Group',
      path: 'my-group',
      description: '',
      visibility: 'private',
      lfs_enabled: true,
      avatar_url: null,
      web_url: 'http://stithy.test/groups/my-group',
      request_access_enabled: true,
      require_two_factor_authentication: false,
      two_factor_grace_period: 48,
      full_name: 'My Group',
      full_path: 'my-group',
      file_template_project_id: null,
      parent_id: null,
      shared_runners_minutes_limit: null,
      extra_shared_runners_minutes_limit: null,
      projects: [],
      shared_projects: [],
      shared_with_groups: [],
    })
    const members = await server.inject('GET', `/groups/${body.id}/members`, { token: user.token })
    expect(members.body).toMatchObject([{ id: user.id, access_level: 50 }])
  })

  it('sets every setting; limits only for administrators', async () => {
    const settings = {
      description: 'About',
      visibility: 'internal',
      lfs_enabled: false,
      request_access_enabled: false,
    }
    const limits = { shared_runners_minutes_limit: 10, extra_shared_runners_minutes_limit: 20 }
    const body = { name: 'set', path: 'set-a', ...settings, ...limits }
    const asRoot = await create(server.root.token, body)
    expect(asRoot.body).toMatchObject({ ...settings, ...limits })
    const user = await server.buildUser()
    const asUser = await create(user.token, { ...body, path: 'set-b' })
    expect(asUser.body).toMatchObject({ ...settings, shared_runners_minutes_limit: null })
  })

  it('creates subgroups for owners of the parent only', async () => {
    const owner = await server.buildUser()
    const parent = await server.buildGroup({ visibility: 'public' }, owner)
    const child = { name: 'Child', path: 'child', parent_id: parent.id, visibility: 'public' }
    const maintainer = await server.buildUser()
    await server.addMember(`groups/${parent.id}`, maintainer.id, 40)
    expect((await create(maintainer.token, child)).status).toBe(403)
    const { status, body } = await create(owner.token, child)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      full_path: `${parent.path}/child`,
      full_name: `${parent.name} / Child`,
      parent_id: parent.id,
    })
  })

  it('returns 404 for a parent that is unknown or hidden', async () => {
    const hidden = await server.buildGroup()
    const user = await server.buildUser()
    for (const parent_id of [hidden.id, 999_999]) {
      const answer = await create(user.token, { name: 'x', path: 'x', parent_id })
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Group Not Found' }])
    }
  })

  it('returns 403 to external users and others who cannot create groups, 401 without a token', async () => {
    const body = { name: 'x', path: 'no-way' }
    const restricted = await server.buildUser({ can_create_group: false })
    const external = await server.buildUser({ external: true })
    expect((await create(restricted.token, body)).status).toBe(403)
    expect((await create(external.token, body)).status).toBe(403)
    const owned = await server.buildGroup()
    await server.addMember(`groups/${owned.id}`, external.id, 50)
    const below = { ...body, parent_id: owned.id }
    expect((await create(external.token, below)).status).toBe(403)
    expect((await create(undefined, body)).status).toBe(401)
  })

  it('returns 400 when the path is taken by a group or user, in any case', async () => {
    await create(server.root.token, { name: 'Taken', path: 'taken-here' })
    const message = 'Failed to save group {:path=>["has already been taken"]}'
    const user = await server.buildUser()
    for (const path of ['TAKEN-here', user.username]) {
      const answer = await create(server.root.token, { name: 'x', path })
      expect([answer.status, answer.body]).toEqual([400, { message }])
    }
  })

  it.each([
    [{ path: 'api' }, ':path=>["api is a reserved name"]'],
    [{ path: 'a b' }, ":path=>[\"can contain only letters, digits, '_', '-' and '.'."],
    [{ path: 'x'.repeat(256) }, ':path=>["is too long (maximum is 255 characters)"]'],
    [{ name: 'x'.repeat(256) }, ':name=>["is too long (maximum is 255 characters)"]'],
    [{ name: '<b>' }, ':name=>["can contain only'],
    [{ description: 'x'.repeat(256) }, ':description=>["is too long'],
  ])('answers 400 with a message for %j', async (values, text) => {
    const body = { name: 'fine', path: 'fine-path', ...values }
    const answer = await create(server.root.token, body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('Failed to save group {')
    expect(answer.body.message).toContain(text)
  })

  it('returns 400 for a subgroup more visible than its parent', async () => {
    const parent = await server.buildGroup({ visibility: 'internal' })
    const body = { name: 'x', path: 'x', parent_id: parent.id, visibility: 'public' }
    const answer = await create(server.root.token, body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('the parent group has a internal visibility')
  })

  it.each([
    [{ path: 'x' }, 'name is missing'],
    [{ name: 'x' }, 'path is missing'],
    [{ name: 'x', path: 'x', visibility: 'odd' }, 'visibility does not have a valid value'],
    [{ name: 'x', path: 'x', parent_id: 'y' }, 'parent_id is invalid'],
    [{ name: 'x', path: 'x', lfs_enabled: 'maybe' }, 'lfs_enabled is invalid'],
  ])('answers 400 for %j', async (body, error) => {
    const answer = await create(server.root.token, body)
    expect([answer.status, answer.body]).toEqual([400, { error }])
  })

  it('allows 20 levels and no more', async () => {
    let parent: Json = await server.buildGroup()
    for (let depth = 2; depth <= 20; depth += 1) {
      parent = await server.buildGroup({
        name: `g${depth}`,
        path: `g${depth}`,
        parent_id: parent.id,
      })
    }
    const answer = await create(server.root.token, { name: 'x', path: 'x', parent_id: parent.id })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('nested too deeply')
    const found = await show(encodeURIComponent(parent.full_path), server.root.token)
    expect(found.body.id).toBe(parent.id)
  })
})

describe('GET /groups/:id', () => {
  it('shows the visible projects of the group and those shared with it', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const below = await server.buildGroup({ parent_id: group.id, visibility: 'public' })
    const open = await server.buildProject({ namespace_id: group.id, visibility: 'public' })
    const hidden = await server.buildProject({ namespace_id: group.id })
    await server.buildProject({ namespace_id: below.id, visibility: 'public' })
    const shared = await server.buildProject({ visibility: 'public' })
    await server.inject('POST', `/projects/${shared.id}/share`, {
      token: server.root.token,
      body: { group_id: group.id, group_access: 20 },
    })
    const ids = (projects: Json[]) =>
      projects.map((project) => project.id).toSorted((a, b) => a - b)
    const asRoot = (await show(group.id, server.root.token)).body
    expect(ids(asRoot.projects)).toEqual([open.id, hidden.id])
    expect(ids(asRoot.shared_projects)).toEqual([shared.id])
    expect(asRoot.shared_projects[0].shared_with_groups).toMatchObject([{ group_id: group.id }])
    const anonymous = (await show(group.id)).body
    expect(ids(anonymous.projects)).toEqual([open.id])
    expect(anonymous.projects[0]).not.toHaveProperty('visibility')
    const without = (await show(group.id, server.root.token, 'with_projects=false')).body
    for (const field of ['projects', 'shared_projects', 'shared_runners_minutes_limit']) {
      expect(without).not.toHaveProperty(field)
    }
  })

  it('shows custom attributes to administrators on request', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    const path = `/groups/${group.id}/custom_attributes/k`
    await server.inject('PUT', path, { token: server.root.token, body: { value: 'v' } })
    const query = 'with_custom_attributes=true'
    const asRoot = await show(group.id, server.root.token, query)
    expect(asRoot.body.custom_attributes).toEqual([{ key: 'k', value: 'v' }])
    expect(Object.keys(asRoot.body).toSorted()).toEqual(
      Object.keys(GroupDetails.shape)
        .filter((name) => name !== 'statistics')
        .toSorted(),
    )
    expect((await show(group.id, undefined, query)).body).not.toHaveProperty('custom_attributes')
  })

  it('lets callers who can read a project in it read the group', async () => {
    const group = await server.buildGroup()
    const below = await server.buildGroup({ parent_id: group.id })
    const project = await server.buildProject({ namespace_id: below.id })
    const user = await server.buildUser()
    expect((await show(group.id, user.token)).status).toBe(404)
    await server.addMember(`projects/${project.id}`, user.id, 10)
    for (const { id } of [group, below]) expect((await show(id, user.token)).status).toBe(200)
    const listed = await server.inject('GET', '/groups', { token: user.token })
    expect(new Set(listed.body.map((entry: Json) => entry.id))).toEqual(
      new Set([group.id, below.id]),
    )
    const members = await server.inject('GET', `/groups/${group.id}/members`, { token: user.token })
    expect(members.status).toBe(403)
  })
})
