import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { dayAfter } from '../../testing/members.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

describe('GET /users/:id/memberships', () => {
  const get = (id: number, query = '', token: string | undefined = server.root.token) =>
    callAs(server, 'GET', `/users/${id}/memberships${query}`, token)

  it('returns the direct memberships of a user, those in groups first', async () => {
    const user = await server.buildUser()
    const group = await server.buildGroup({})
    const inside = await server.buildProject({ namespace_id: group.id })
    const project = await server.buildProject({})
    await server.addMember(`groups/${group.id}`, user.id, 20)
    await server.addMember(`projects/${project.id}`, user.id, 30)
    const ofGroup = {
      source_id: group.id,
      source_name: group.name,
      source_type: 'Namespace',
      access_level: 20,
    }
    const ofProject = {
      source_id: project.id,
      source_name: project.name,
      source_type: 'Project',
      access_level: 30,
    }
    const { status, body, headers } = await get(user.id)
    expect([status, body]).toEqual([200, [ofGroup, ofProject]])
    expect(headers).toMatchObject({ 'x-total': '2' })
    expect((await get(user.id, '?type=Project')).body).toEqual([ofProject])
    expect((await get(user.id, '?type=Namespace')).body).toEqual([ofGroup])
    expect(inside.id).not.toBe(project.id)
  })

  it('leaves out memberships that have ended, and what is being deleted', async () => {
    const user = await server.buildUser()
    const [ended, deleted] = [await server.buildProject({}), await server.buildProject({})]
    const body = { user_id: user.id, access_level: 30, expires_at: dayAfter(server, 1) }
    await callAs(server, 'POST', `/projects/${ended.id}/members`, server.root.token, body)
    await server.app.db.run('test.end', { id: user.id }, (db, $) =>
      db
        .updateTable('members')
        .set({ expiresOn: '2001-01-01' })
        .where('userId', '=', $('id'))
        .where('sourceKind', '=', 'project'),
    )
    await server.addMember(`projects/${deleted.id}`, user.id, 30)
    await callAs(server, 'DELETE', `/projects/${deleted.id}`, server.root.token)
    expect((await get(user.id)).body).toEqual([])
  })

  it('returns 400 for another type, 404 for an unknown user, 403 to other users', async () => {
    const user = await server.buildUser()
    expect((await get(user.id, '?type=Group')).status).toBe(400)
    const unknown = await get(999_999)
    expect([unknown.status, unknown.body]).toEqual([404, { message: '404 User Not Found' }])
    expect((await get(user.id, '', user.token)).status).toBe(403)
  })
})
