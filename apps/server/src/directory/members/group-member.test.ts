import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { unrecordedJob } from '../../testing/jobs.ts'
import { buildTree, dayAfter, dayMs, levelsOf } from '../../testing/members.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const day = (offset: number) => dayAfter(server, offset)
const call = (method: string, path: string, token?: string, body?: unknown) =>
  callAs(server, method, path, token, body)

describe('members of groups', () => {
  it('are members of all descendants', async () => {
    const { group, below, project } = await buildTree(server)
    const user = await server.buildUser()
    await server.addMember(`groups/${group.id}`, user.id, 40)
    for (const path of [`/groups/${below.id}`, `/projects/${project.id}`]) {
      expect((await call('GET', path, user.token)).status).toBe(200)
    }
    const edit = await call('PUT', `/projects/${project.id}`, user.token, { description: 'x' })
    expect(edit.status).toBe(200)
    const all = await call('GET', `/groups/${below.id}/members/all`, user.token)
    expect(levelsOf(all.body)[user.id]).toBe(40)
    const direct = await call('GET', `/groups/${below.id}/members`, user.token)
    expect(levelsOf(direct.body)).not.toHaveProperty(String(user.id))
  })

  it('cannot have a lower level than the one inherited from the parent', async () => {
    const { owner, group, below } = await buildTree(server)
    const user = await server.buildUser()
    await server.addMember(`groups/${group.id}`, user.id, 40)
    const body = { user_id: user.id, access_level: 30 }
    const low = await call('POST', `/groups/${below.id}/members`, owner.token, body)
    expect(low.status).toBe(400)
    expect(low.body.message).toHaveProperty('access_level')
    const same = { user_id: user.id, access_level: 40 }
    expect((await call('POST', `/groups/${below.id}/members`, owner.token, same)).status).toBe(201)
  })

  it('include an owner: the last one cannot leave, be removed or be demoted', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({}, owner)
    const path = `/groups/${group.id}/members`
    const one = `${path}/${owner.id}`
    for (const token of [owner.token, server.root.token]) {
      expect((await call('DELETE', one, token)).status).toBe(403)
      expect((await call('PUT', one, token, { access_level: 40 })).status).toBe(403)
      const ending = { access_level: 50, expires_at: day(1) }
      expect((await call('PUT', one, token, ending)).status).toBe(403)
    }
    const second = await server.buildUser()
    await server.addMember(`groups/${group.id}`, second.id, 50)
    expect((await call('DELETE', one, owner.token)).status).toBe(204)
    expect((await call('DELETE', `${path}/${second.id}`, second.token)).status).toBe(403)
  })

  it('count as other owners only when active and without expiry', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({}, owner)
    const path = `/groups/${group.id}/members`
    const [ending, blocked] = [await server.buildUser(), await server.buildUser()]
    await server.addMember(`groups/${group.id}`, ending.id, 50, day(9))
    await server.addMember(`groups/${group.id}`, blocked.id, 50)
    await call('POST', `/users/${blocked.id}/block`, server.root.token)
    const one = `${path}/${owner.id}`
    const refused = async () => {
      const ends = { access_level: 50, expires_at: day(1) }
      const answers = [
        await call('DELETE', one, owner.token),
        await call('DELETE', one, server.root.token),
        await call('PUT', one, owner.token, { access_level: 40 }),
        await call('PUT', one, owner.token, ends),
      ]
      return answers.map((answer) => answer.status)
    }
    expect(await refused()).toEqual([403, 403, 403, 403])
    expect((await call('PUT', one, owner.token, { access_level: 50 })).status).toBe(200)
    expect((await call('DELETE', `${path}/${ending.id}`, ending.token)).status).toBe(204)
    await call('POST', `/users/${blocked.id}/unblock`, server.root.token)
    expect((await call('PUT', one, owner.token, { access_level: 40 })).status).toBe(200)
  })

  it('lets only one of two owners leave at the same time', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({}, owner)
    const second = await server.buildUser()
    await server.addMember(`groups/${group.id}`, second.id, 50)
    const path = `/groups/${group.id}/members`
    const answers = await Promise.all([
      call('DELETE', `${path}/${owner.id}`, owner.token),
      call('DELETE', `${path}/${second.id}`, second.token),
    ])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([204, 403])
  })

  it('leave the subgroups and projects together with the group', async () => {
    const { owner, group, below, project } = await buildTree(server)
    const user = await server.buildUser()
    const outside = await server.buildProject({}, owner)
    await server.addMember(`groups/${group.id}`, user.id, 10)
    await server.addMember(`groups/${below.id}`, user.id, 20)
    await server.addMember(`projects/${project.id}`, user.id, 30)
    await server.addMember(`projects/${outside.id}`, user.id, 30)
    await call('DELETE', `/groups/${group.id}/members/${user.id}`, owner.token)
    expect((await call('GET', `/projects/${project.id}`, user.token)).status).toBe(404)
    expect((await call('GET', `/groups/${below.id}`, user.token)).status).toBe(404)
    expect((await call('GET', `/projects/${outside.id}`, user.token)).status).toBe(200)
    const events = await call('GET', `/projects/${project.id}/events`, owner.token)
    expect(events.body[0]).toMatchObject({ action_name: 'left', author_id: user.id })
  })

  it('need the same number of queries regardless of their number', async () => {
    const owner = await server.buildUser()
    const group = await server.buildGroup({}, owner)
    const cost = async () => {
      const before = server.app.db.stats.queries
      const { body } = await call('GET', `/groups/${group.id}/members/all`, owner.token)
      return [body.length, server.app.db.stats.queries - before]
    }
    const [, few] = await cost()
    for (let index = 0; index < 10; index += 1) {
      await server.addMember(`groups/${group.id}`, (await server.buildUser()).id, 10)
    }
    expect(await cost()).toEqual([11, few])
    expect(few).toBeLessThanOrEqual(6)
  })
})

describe('the daily job that ends memberships', () => {
  it('removes expired ones and records the event expired', async () => {
    const owner = await server.buildUser()
    const project = await server.buildProject({}, owner)
    const group = await server.buildGroup({}, owner)
    const [expired, active] = [await server.buildUser(), await server.buildUser()]
    await server.addMember(`projects/${project.id}`, expired.id, 20, day(0))
    await server.addMember(`groups/${group.id}`, expired.id, 20, day(0))
    await server.addMember(`projects/${project.id}`, active.id, 20, day(1))
    server.advance(dayMs)
    const { expireMembersJob } = await import('./member.jobs.ts')
    await expireMembersJob.run(server.app, {}, new AbortController().signal, unrecordedJob)
    const events = await call('GET', `/projects/${project.id}/events`, owner.token)
    expect(events.body[0]).toMatchObject({
      action_name: 'removed due to membership expiration from',
      author_id: expired.id,
    })
    const rows = await server.app.db.all(
      'test.expired-members',
      { a: expired.id, b: active.id },
      (db, $) =>
        db
          .selectFrom('members')
          .select('userId')
          .where((eb) => eb.or([eb('userId', '=', $('a')), eb('userId', '=', $('b'))])),
    )
    expect(rows).toEqual([{ userId: active.id }])
  })
})
