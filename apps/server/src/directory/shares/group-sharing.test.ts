/**
 * What holds of groups shared with groups (`POST /groups/:id/share`):
 * - the members of the other group, and of its ancestors, get at most `group_access` in the group, its
 *   subgroups and all their projects, until the end of `expires_at`;
 * - shares are not transitive: who reaches the other group through a share gets nothing;
 * - only owners share and unshare, with groups that they can read; no group with itself, none twice;
 * - `shared_with_groups` of the group's details lists those that the caller can read, all to owners;
 * - `share_with_group_lock` of the group or an ancestor forbids it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let owner: TestUser
beforeAll(async () => {
  server = await buildTestServer()
  owner = await server.buildUser()
})
afterAll(() => server.close())

const today = () => new Date(server.app.now()).toISOString().slice(0, 10)
const get = (path: string, token: string) => server.inject('GET', path, { token })
const share = (group: Json, other: Json, access = 30, expires_at?: string, token = owner.token) =>
  server.inject('POST', `/groups/${group.id}/share`, {
    token,
    body: { group_id: other.id, group_access: access, expires_at },
  })
const unshare = (group: Json, other: Json, token = owner.token) =>
  server.inject('DELETE', `/groups/${group.id}/share/${other.id}`, { token })

/** A private group of `owner`. */
async function ownGroup(settings: Json = {}): Promise<Json> {
  const group = await server.buildGroup({ visibility: 'private', ...settings })
  await server.addMember(`groups/${group.id}`, owner.id, 50)
  return group
}

/** `group` with a subgroup and a project in it, and `other` with a parent and a member of each. */
async function buildGroups() {
  const group = await ownGroup()
  const subgroup = await server.buildGroup({ parent_id: group.id, visibility: 'private' })
  const project = await server.buildProject({ namespace_id: subgroup.id, visibility: 'private' })
  const parent = await ownGroup()
  const other = await server.buildGroup({ parent_id: parent.id, visibility: 'private' })
  const [member, above] = [await server.buildUser(), await server.buildUser()]
  await server.addMember(`groups/${other.id}`, member.id, 40)
  await server.addMember(`groups/${parent.id}`, above.id, 20)
  return { group, subgroup, project, other, member, above }
}

describe('POST /groups/:id/share', () => {
  it('gives members of the other group and its ancestors at most the level', async () => {
    const { group, subgroup, project, other, member, above } = await buildGroups()
    const paths = [`/groups/${group.id}`, `/groups/${subgroup.id}`, `/projects/${project.id}`]
    for (const path of paths) expect((await get(path, member.token)).status).toBe(404)
    const answer = await share(group, other)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ id: group.id, full_path: group.full_path })
    expect(answer.body.shared_with_groups).toEqual([
      {
        group_id: other.id,
        group_name: other.name,
        group_full_path: other.full_path,
        group_access_level: 30,
        expires_at: null,
      },
    ])
    for (const [user, level] of [
      [member, 30],
      [above, 20],
    ] as const) {
      for (const path of paths) expect((await get(path, user.token)).status).toBe(200)
      for (const path of [`/groups/${group.id}`, `/groups/${subgroup.id}`]) {
        const { body } = await get(`${path}/members/all/${user.id}`, user.token)
        expect(body).toMatchObject({ id: user.id, access_level: level })
        expect((await get(`${path}/members/${user.id}`, user.token)).status).toBe(404)
      }
      const all = await get(`/projects/${project.id}/members/all/${user.id}`, user.token)
      expect(all.body.access_level).toBe(level)
    }
  })

  it('makes the group and its projects part of the lists of the other group’s members', async () => {
    const { group, subgroup, project, other, member } = await buildGroups()
    await share(group, other, 40)
    const ids = async (path: string) =>
      (await get(path, member.token)).body.map((entry: Json) => entry.id)
    expect(await ids('/groups?per_page=100')).toEqual(
      expect.arrayContaining([group.id, subgroup.id]),
    )
    expect(await ids('/groups?min_access_level=40')).toEqual(
      expect.arrayContaining([group.id, subgroup.id]),
    )
    expect(await ids('/groups?owned=true')).toEqual([])
    expect(await ids('/projects?membership=true')).toEqual([project.id])
    expect(await ids('/projects?min_access_level=40')).toEqual([project.id])
    expect(await ids('/projects?min_access_level=50')).toEqual([])
    expect(await ids(`/groups/${group.id}/projects?include_subgroups=true`)).toEqual([project.id])
  })

  it('lets members act at their level, and no further', async () => {
    const { group, project, other, member } = await buildGroups()
    await share(group, other, 30)
    const write = (path: string, body: Json) =>
      server.inject('POST', path, { token: member.token, body })
    expect((await write(`/projects/${project.id}/issues`, { title: 'a' })).status).toBe(201)
    expect((await write(`/groups/${group.id}/milestones`, { title: 'a' })).status).toBe(201)
    const hook = { url: 'http://example.com' }
    expect((await write(`/projects/${project.id}/hooks`, hook)).status).toBe(403)
    expect(
      (await write(`/groups/${group.id}/members`, { user_id: 1, access_level: 10 })).status,
    ).toBe(403)
    const branch = { name: 'main', allowed_to_push: [{ user_id: member.id }] }
    const protect = await server.inject('POST', `/projects/${project.id}/protected_branches`, {
      token: server.root.token,
      body: branch,
    })
    expect(protect.status).toBe(201)
  })

  it('is not transitive', async () => {
    const { group, other, project } = await buildGroups()
    const third = await ownGroup()
    const guest = await server.buildUser()
    await server.addMember(`groups/${third.id}`, guest.id, 50)
    await share(other, third, 50, undefined, server.root.token)
    await share(group, other, 50)
    expect((await get(`/groups/${other.id}`, guest.token)).status).toBe(200)
    expect((await get(`/groups/${group.id}`, guest.token)).status).toBe(404)
    expect((await get(`/projects/${project.id}`, guest.token)).status).toBe(404)
  })

  it('ends after expires_at, and may then be made again', async () => {
    const { group, other, member, project } = await buildGroups()
    expect((await share(group, other, 30, today())).status).toBe(201)
    expect((await share(group, other)).status).toBe(409)
    expect((await get(`/projects/${project.id}`, member.token)).status).toBe(200)
    server.advance(86_400_000)
    for (const path of [`/groups/${group.id}`, `/projects/${project.id}`]) {
      expect((await get(path, member.token)).status).toBe(404)
    }
    expect((await get(`/groups/${group.id}`, owner.token)).body.shared_with_groups).toEqual([])
    expect((await unshare(group, other)).status).toBe(404)
    expect((await share(group, other)).status).toBe(201)
    const past = await share(await ownGroup(), other, 30, '2001-01-01')
    expect([past.status, Object.keys(past.body.message)]).toEqual([400, ['expires_at']])
  })

  it('refuses the group itself, a second share, unknown and hidden groups', async () => {
    const group = await ownGroup()
    const [other, hidden] = [await ownGroup(), await server.buildGroup({ visibility: 'private' })]
    expect(await share(group, group)).toMatchObject({
      status: 400,
      body: { message: { base: ['Group cannot be shared with itself.'] } },
    })
    expect((await share(group, other)).status).toBe(201)
    expect(await share(group, other)).toMatchObject({ status: 409 })
    for (const id of [hidden.id, 999_999]) {
      expect(await share(group, { id })).toMatchObject({
        status: 404,
        body: { message: '404 Group Not Found' },
      })
    }
    for (const access of [0, 5, 35, 60])
      expect((await share(group, other, access)).status).toBe(400)
  })

  it('is for owners', async () => {
    const { group, other, member } = await buildGroups()
    const maintainer = await server.buildUser()
    await server.addMember(`groups/${group.id}`, maintainer.id, 40)
    await server.addMember(`groups/${other.id}`, maintainer.id, 40)
    expect((await share(group, other, 40, undefined, maintainer.token)).status).toBe(403)
    expect((await share(group, other, 40, undefined, member.token)).status).toBe(404)
    await share(group, other, 50)
    expect((await unshare(group, other, maintainer.token)).status).toBe(403)
    // Maintainers of the other group are not made owners by a share at the level of owners.
    expect((await unshare(group, other, member.token)).status).toBe(403)
  })

  it('is forbidden by share_with_group_lock of an ancestor', async () => {
    const top = await ownGroup({ share_with_group_lock: true })
    const group = await server.buildGroup({ parent_id: top.id, visibility: 'private' })
    expect(await share(group, await ownGroup())).toMatchObject({ status: 400 })
  })
})

describe('DELETE /groups/:id/share/:shared_with_group_id', () => {
  it('takes the access away', async () => {
    const { group, other, member, project } = await buildGroups()
    await share(group, other)
    expect((await unshare(group, other)).status).toBe(204)
    expect((await get(`/groups/${group.id}`, member.token)).status).toBe(404)
    expect((await get(`/projects/${project.id}`, member.token)).status).toBe(404)
    expect(await unshare(group, other)).toMatchObject({
      status: 404,
      body: { message: '404 Group Link Not Found' },
    })
  })
})

describe('shared_with_groups of a group', () => {
  it('and members through shares are shown to who can read the other group', async () => {
    const group = await server.buildGroup({ visibility: 'public' })
    await server.addMember(`groups/${group.id}`, owner.id, 50)
    const [open, hidden] = [await server.buildGroup({ visibility: 'public' }), await ownGroup()]
    const people = [await server.buildUser(), await server.buildUser()]
    await server.addMember(`groups/${open.id}`, people[0]?.id as number, 20)
    await server.addMember(`groups/${hidden.id}`, people[1]?.id as number, 20)
    for (const other of [open, hidden]) await share(group, other)
    const stranger = await server.buildUser()
    for (const [token, shown] of [
      [stranger.token, 1],
      [owner.token, 2],
      [server.root.token, 2],
    ] as const) {
      const { body } = await get(`/groups/${group.id}`, token)
      const ids = body.shared_with_groups.map((entry: Json) => entry.group_id)
      expect(ids).toEqual([open.id, hidden.id].slice(0, shown))
      const members = await get(`/groups/${group.id}/members/all`, token)
      const shared = people.map(({ id }) => id)
      expect(
        members.body.map((entry: Json) => entry.id).filter((id: number) => shared.includes(id)),
      ).toEqual(shared.slice(0, shown))
    }
  })
})

describe('DELETE /groups/:id of a shared group', () => {
  it('removes its shares on either side', async () => {
    const { group, other } = await buildGroups()
    const third = await ownGroup()
    await share(group, other)
    await share(third, group)
    expect(
      (await server.inject('DELETE', `/groups/${group.id}`, { token: owner.token })).status,
    ).toBe(202)
    await server.runJobs()
    expect((await get(`/groups/${third.id}`, owner.token)).body.shared_with_groups).toEqual([])
  })
})
