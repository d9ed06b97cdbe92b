import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeEach(async () => {
  server = await buildTestServer()
})
afterEach(() => server.close())

const root = () => ({ token: server.root.token })
const demote = (id: number, token: string) =>
  server.inject('PUT', `/users/${id}`, { token, body: { admin: false } })

async function administrators(): Promise<number[]> {
  const rows = await server.app.db.all('test.administrators', {}, (db) =>
    db.selectFrom('users').select('id').where('admin', '=', 1).where('state', '=', 'active'),
  )
  return rows.map((row) => row.id)
}

describe('the last active administrator', () => {
  it('stays an administrator', async () => {
    // A blocked administrator does not count.
    const blocked = await server.buildUser({ admin: true })
    await server.inject('POST', `/users/${blocked.id}/block`, root())
    const answer = await demote(1, server.root.token)
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({
      message: { admin: ['cannot be taken from the last active administrator'] },
    })
    const named = { ...root(), body: { admin: true, name: 'Still in charge' } }
    expect((await server.inject('PUT', '/users/1', named)).body.is_admin).toBe(true)
    expect((await demote(blocked.id, server.root.token)).status).toBe(200)
  })

  it('cannot be deleted', async () => {
    for (const query of ['', 'hard_delete=true']) {
      const answer = await server.inject('DELETE', '/users/1', { ...root(), query })
      expect(answer.status).toBe(409)
      expect(answer.body).toEqual({ message: 'The last active administrator cannot be deleted' })
    }
    expect((await server.inject('GET', '/user', root())).status).toBe(200)
  })

  it('can be deleted once there is another', async () => {
    const other = await server.buildUser({ admin: true })
    expect((await demote(1, other.token)).status).toBe(200)
    const removed = await server.inject('DELETE', '/users/1', { token: other.token })
    expect(removed.status).toBe(204)
    expect((await demote(other.id, other.token)).status).toBe(404)
  })

  it.each([
    [
      'block',
      (id: number, token: string) => server.inject('POST', `/users/${id}/block`, { token }),
    ],
    ['demote', demote],
    ['delete', (id: number, token: string) => server.inject('DELETE', `/users/${id}`, { token })],
  ])('remains when two %s each other at the same time', async (_what, act) => {
    const other = await server.buildUser({ admin: true })
    const answers = await Promise.all([act(other.id, server.root.token), act(1, other.token)])
    const done = answers.filter(({ status }) => status < 300)
    expect(done).toHaveLength(1)
    expect(await administrators()).toHaveLength(1)
  })
})
