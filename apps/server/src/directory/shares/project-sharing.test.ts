import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const today = () => new Date(server.app.now()).toISOString().slice(0, 10)
const get = async (path: string, token: string): Promise<Json> =>
  (await server.inject('GET', path, { token })).body
const share = (project: Json, group: Json, expires_at?: string) =>
  server.inject('POST', `/projects/${project.id}/share`, {
    token: server.root.token,
    body: { group_id: group.id, group_access: 30, expires_at },
  })
const unshare = (project: Json, group: Json) =>
  server.inject('DELETE', `/projects/${project.id}/share/${group.id}`, { token: server.root.token })

/**
 * A public project, shared with a group of each visibility; each has a member with no other access.
 */
async function buildSharedProject() {
  const project = await server.buildProject({ visibility: 'public' })
  const circle: Json = { project }
  for (const visibility of ['public', 'internal', 'private']) {
    const above = await server.buildGroup({ visibility })
    const group = await server.buildGroup({ visibility, parent_id: above.id })
    const member = await server.buildUser()
    await server.addMember(`groups/${above.id}`, member.id, 20)
    await share(project, group)
    circle[visibility] = { group, member }
  }
  return circle
}

describe('shared_with_groups of a project', () => {
  it('are visible to callers who can read the group, in every endpoint', async () => {
    const circle = await buildSharedProject()
    const { project } = circle
    const publicGroup = await server.buildGroup({ visibility: 'public' })
    await share(project, publicGroup)
    const [stranger, maintainer] = [await server.buildUser(), await server.buildUser()]
    const external = await server.buildUser({ external: true })
    await server.addMember(`projects/${project.id}`, maintainer.id, 40)
    const groupIds = (...names: string[]) => names.map((name) => circle[name].group.id)
    const expected: [string, number[]][] = [
      [stranger.token, groupIds('public', 'internal')],
      [external.token, groupIds('public')],
      [circle.private.member.token, groupIds('public', 'internal', 'private')],
      [maintainer.token, groupIds('public', 'internal', 'private')],
      [server.root.token, groupIds('public', 'internal', 'private')],
    ]
    for (const [token, visible] of expected) {
      const single = await get(`/projects/${project.id}`, token)
      const list = await get('/projects?per_page=100', token)
      const inGroup = await get(`/groups/${publicGroup.id}/projects`, token)
      const details = await get(`/groups/${publicGroup.id}`, token)
      const answers = [
        single,
        list.find((entry: Json) => entry.id === project.id),
        inGroup[0],
        details.shared_projects[0],
      ]
      for (const answer of answers) {
        const ids = answer.shared_with_groups.map((entry: Json) => entry.group_id)
        expect(ids).toEqual([...visible, publicGroup.id])
      }
    }
  })

  it('contribute members only to lists whose caller can read the group', async () => {
    const circle = await buildSharedProject()
    const { project } = circle
    const [stranger, maintainer] = [await server.buildUser(), await server.buildUser()]
    await server.addMember(`projects/${project.id}`, maintainer.id, 40)
    const people = ['public', 'internal', 'private'].map((name) => circle[name].member.id)
    const hidden = circle.private.member.id
    const expected: [string, number[]][] = [
      [stranger.token, people.slice(0, 2)],
      [circle.private.member.token, people],
      [maintainer.token, people],
      [server.root.token, people],
    ]
    for (const [token, visible] of expected) {
      for (const path of ['members/all', 'users']) {
        const answer = await server.inject('GET', `/projects/${project.id}/${path}`, { token })
        const ids = answer.body.map((entry: Json) => entry.id)
        expect(ids.filter((id: number) => people.includes(id))).toEqual(visible)
        expect(answer.headers['x-total']).toBe(String(ids.length))
      }
      const path = `/projects/${project.id}/members/all/${hidden}`
      const { status } = await server.inject('GET', path, { token })
      expect(status).toBe(visible.includes(hidden) ? 200 : 404)
    }
  })
})

describe('an expired share', () => {
  it('cannot be removed, and can be created again', async () => {
    const project = await server.buildProject()
    const group = await server.buildGroup()
    expect((await share(project, group, today())).status).toBe(201)
    expect((await share(project, group)).status).toBe(409)
    server.advance(86_400_000)
    expect((await unshare(project, group)).status).toBe(404)
    const again = await share(project, group)
    expect([again.status, again.body.expires_at]).toEqual([201, null])
    expect((await unshare(project, group)).status).toBe(204)
  })
})

describe('PUT /projects/:id/transfer of a shared project', () => {
  it('removes the share with the target group, and no other', async () => {
    const project = await server.buildProject()
    const [target, other] = [await server.buildGroup(), await server.buildGroup()]
    for (const group of [target, other]) await share(project, group)
    const moved = await server.inject('PUT', `/projects/${project.id}/transfer`, {
      token: server.root.token,
      body: { namespace: target.id },
    })
    expect(moved.body.shared_with_groups).toMatchObject([{ group_id: other.id }])
    expect((await unshare(project, target)).status).toBe(404)
  })
})

describe('share_with_group_lock', () => {
  it('applies to all descendants of the group', async () => {
    const top = await server.buildGroup({ share_with_group_lock: true })
    const below = await server.buildGroup({ parent_id: top.id })
    const project = await server.buildProject({ namespace_id: below.id })
    const other = await server.buildGroup()
    const { status, body } = await share(project, other)
    expect([status, body]).toEqual([400, { message: 'The project sharing with group is disabled' }])
  })
})
