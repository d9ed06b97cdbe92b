import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let user: Awaited<ReturnType<TestServer['buildUser']>>
beforeAll(async () => {
  server = await buildTestServer()
  user = await server.buildUser()
})
afterAll(() => server.close())

const empty = { emoji: '', message: '', message_html: '' }
const set = (body: object, token = user.token) => callAs(server, 'PUT', '/user/status', token, body)
const show = async (path: string, token: string | undefined = user.token) =>
  callAs(server, 'GET', path, token)

describe('PUT /user/status', () => {
  it('returns 200 with the status, whose message has emoji and no other markup', async () => {
    const message = 'I <b>crave</b> :coffee: *now* :no_such_emoji: "ok"'
    const { status, body } = await set({ emoji: 'coffee', message })
    expect(status).toBe(200)
    expect(body).toEqual({
      emoji: 'coffee',
      message,
      message_html:
        'I &lt;b&gt;crave&lt;/b&gt; <gl-emoji title="hot beverage" data-name="coffee">☕</gl-emoji> ' +
        '*now* :no_such_emoji: &quot;ok&quot;',
    })
    expect((await show('/user/status')).body).toEqual(body)
  })

  it('sets speech_balloon with a message alone, and an emoji alone has no message', async () => {
    expect((await set({ message: 'Busy' })).body).toMatchObject({ emoji: 'speech_balloon' })
    expect((await set({ emoji: 'tada' })).body).toEqual({ ...empty, emoji: 'tada' })
    expect((await set({ emoji: '', message: 'Back' })).body).toMatchObject({
      emoji: 'speech_balloon',
      message: 'Back',
    })
  })

  it.each([[{}], [{ emoji: '', message: '' }], [{ emoji: null, message: null }]])(
    'clears the status with %j',
    async (body) => {
      await set({ emoji: 'tada', message: 'Here' })
      const cleared = await set(body)
      expect([cleared.status, cleared.body]).toEqual([200, empty])
      expect((await show('/user/status')).body).toEqual(empty)
    },
  )

  it('returns 400 for an unknown emoji and for a message of over 100 characters', async () => {
    await set({ emoji: 'tada', message: 'Here' })
    const unknown = await set({ emoji: 'no_such_emoji' })
    expect([unknown.status, unknown.body]).toEqual([
      400,
      { message: { emoji: ['is not included in the list'] } },
    ])
    const long = await set({ message: '😀'.repeat(101) })
    expect([long.status, long.body]).toEqual([
      400,
      { message: { message: ['is too long (maximum is 100 characters)'] } },
    ])
    expect((await set({ message: '😀'.repeat(100) })).status).toBe(200)
  })

  it('returns 401 without a token', async () => {
    const body = { message: 'Busy' }
    expect((await callAs(server, 'PUT', '/user/status', undefined, body)).status).toBe(401)
  })
})

describe('GET /users/:id_or_username/status', () => {
  it('returns the status of a user by id and by username', async () => {
    await set({ emoji: 'tada', message: 'Here' })
    const other = await server.buildUser()
    for (const ref of [user.id, user.username]) {
      const { status, body } = await show(`/users/${ref}/status`, other.token)
      expect([status, body]).toEqual([
        200,
        { emoji: 'tada', message: 'Here', message_html: 'Here' },
      ])
    }
    expect((await show(`/users/${other.id}/status`)).body).toEqual(empty)
  })

  it('returns 404 for an unknown user and 401 without a token', async () => {
    for (const ref of [999_999, 'no-such-user', '-']) {
      const { status, body } = await show(`/users/${ref}/status`)
      expect([status, body]).toEqual([404, { message: '404 User Not Found' }])
    }
    expect((await callAs(server, 'GET', `/users/${user.id}/status`)).status).toBe(401)
  })

  it('goes with the user when they are deleted', async () => {
    const leaving = await server.buildUser()
    await set({ message: 'Bye' }, leaving.token)
    await callAs(server, 'DELETE', `/users/${leaving.id}`, server.root.token)
    await server.runJobs()
    expect((await show(`/users/${leaving.id}/status`)).status).toBe(404)
    const left = await server.app.db.all('test.statuses', { id: leaving.id }, (db, $) =>
      db.selectFrom('userStatuses').select('userId').where('userId', '=', $('id')),
    )
    expect(left).toEqual([])
  })
})
