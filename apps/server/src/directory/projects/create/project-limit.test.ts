import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const create = (token: string, body: unknown) => server.inject('POST', '/projects', { token, body })
const transfer = (id: number, token: string, namespace: string) =>
  server.inject('PUT', `/projects/${id}/transfer`, { token, body: { namespace } })
const count = async (userId: number) => {
  const { token } = server.root
  return (await server.inject('GET', `/users/${userId}/projects`, { token })).body.length
}

describe('the limit of personal projects', () => {
  it('returns 403 with the reason, also to an administrator who creates for the user', async () => {
    const user = await server.buildUser({ projects_limit: 1 })
    expect((await create(user.token, { name: 'one' })).status).toBe(201)
    const own = await create(user.token, { name: 'two' })
    const given = await server.inject('POST', `/projects/user/${user.id}`, {
      token: server.root.token,
      body: { name: 'two' },
    })
    for (const answer of [own, given]) {
      expect(answer.status).toBe(403)
      expect(answer.body).toEqual({
        error: [expect.stringContaining('limit of 1 personal project')],
      })
    }
  })

  it('is that of the user of the namespace, and does not apply in groups', async () => {
    const user = await server.buildUser({ projects_limit: 0 })
    const group = await server.buildGroup({}, user)
    expect((await create(user.token, { name: 'x' })).status).toBe(403)
    expect((await create(user.token, { name: 'x', namespace_id: group.id })).status).toBe(201)
    const { body } = await server.inject('GET', `/namespaces/${user.username}`, {
      token: server.root.token,
    })
    const foreign = await create(server.root.token, { name: 'x', namespace_id: body.id })
    expect(foreign.status).toBe(403)
  })

  it('applies to concurrent creations', async () => {
    const user = await server.buildUser({ projects_limit: 2 })
    const names = Array.from({ length: 16 }, (_, index) => `at-once-${index}`)
    const answers = await Promise.all(names.map((name) => create(user.token, { name })))
    const made = answers.filter((answer) => answer.status === 201)
    const refused = answers.filter((answer) => answer.status === 403)
    expect([made.length, refused.length]).toEqual([2, 14])
    expect(await count(user.id)).toBe(2)
  })

  it('applies to transfers', async () => {
    const user = await server.buildUser({ projects_limit: 1 })
    const group = await server.buildGroup({}, user)
    const build = () => server.buildProject({ namespace_id: group.id }, user)
    const [one, two] = [await build(), await build()]
    const answers = await Promise.all([
      transfer(one.id, user.token, user.username),
      transfer(two.id, server.root.token, user.username),
    ])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 400])
    const refused = answers.find((answer) => answer.status === 400)
    expect(refused?.body.message).toMatch(
      /^Failed to transfer project This account has reached its limit of 1 /,
    )
    expect(await count(user.id)).toBe(1)
  })
})

describe('external users', () => {
  it('can create neither personal projects nor projects in groups', async () => {
    const user = await server.buildUser({ external: true })
    const group = await server.buildGroup()
    await server.addMember(`groups/${group.id}`, user.id, 50)
    const invalid = { message: { namespace: ['is not valid'] } }
    const given = await server.inject('POST', `/projects/user/${user.id}`, {
      token: server.root.token,
      body: { name: 'x' },
    })
    for (const answer of [
      await create(user.token, { name: 'x' }),
      await create(user.token, { name: 'x', namespace_id: group.id }),
      given,
    ]) {
      expect([answer.status, answer.body]).toEqual([400, invalid])
    }
    const inside = await server.buildProject({ namespace_id: group.id })
    expect((await transfer(inside.id, user.token, user.username)).status).toBe(404)
    expect((await transfer(inside.id, server.root.token, user.username)).status).toBe(400)
    expect(await count(user.id)).toBe(0)
  })
})

describe('PUT /projects/:id/transfer into a personal namespace', () => {
  it('makes its user a member at level 40, regardless of the previous membership', async () => {
    const { token } = server.root
    for (const before of [undefined, 10]) {
      const user = await server.buildUser()
      const project = await server.buildProject()
      if (before !== undefined) await server.addMember(`projects/${project.id}`, user.id, before)
      expect((await transfer(project.id, token, user.username)).status).toBe(200)
      const path = `/projects/${project.id}/members/${user.id}`
      const member = await server.inject('GET', path, { token: user.token })
      expect(member.body).toMatchObject({ access_level: 40, expires_at: null })
      const shown = await server.inject('GET', `/projects/${project.id}`, { token: user.token })
      expect(shown.body.owner.id).toBe(user.id)
    }
  })
})
