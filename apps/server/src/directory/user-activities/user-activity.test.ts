import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

/** A user who was last active on a day, or never. */
async function lastActive(day: string | null) {
  const user = await server.buildUser()
  await server.app.db.run('test.active', { id: user.id, day }, (db, $) =>
    db
      .updateTable('users')
      .set({ lastActivityOn: $('day') })
      .where('id', '=', $('id')),
  )
  return user
}

const get = (query = '', token: string | undefined = server.root.token) =>
  callAs(server, 'GET', `/user/activities${query}`, token)
const daysAgo = (days: number) =>
  new Date(server.app.now() - days * 86_400_000).toISOString().slice(0, 10)

describe('GET /user/activities', () => {
  it('returns users by their last active day, oldest first, of the last six months', async () => {
    const [recent, late, first] = [
      await lastActive(daysAgo(1)),
      await lastActive(daysAgo(90)),
      await lastActive(daysAgo(90)),
    ]
    const longAgo = await lastActive(daysAgo(190))
    await lastActive(null)
    const { status, body, headers } = await get()
    expect(status).toBe(200)
    const shape = ({ username }: Json, day: string) => ({
      username,
      last_activity_on: day,
      last_activity_at: day,
    })
    expect(body).toEqual([
      shape(late, daysAgo(90)),
      shape(first, daysAgo(90)),
      shape(recent, daysAgo(1)),
    ])
    expect(headers).toMatchObject({ 'x-total': '3' })
    const all = await get(`?from=${daysAgo(200)}&per_page=1`)
    expect(all.body).toEqual([shape(longAgo, daysAgo(190))])
    expect(all.headers).toMatchObject({ 'x-total': '4' })
    expect((await get(`?from=${daysAgo(1)}`)).body).toEqual([shape(recent, daysAgo(1))])
  })

  it('returns 403 to others than administrators, 401 without a token, 400 for a bad day', async () => {
    const user = await server.buildUser()
    expect((await get('', user.token)).status).toBe(403)
    expect((await callAs(server, 'GET', '/user/activities')).status).toBe(401)
    expect((await get('?from=2019-02-30')).status).toBe(400)
  })
})
