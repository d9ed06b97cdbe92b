import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startSession } from '../../directory/authentication/session.ts'
import { sessionCookie } from '../../directory/authentication/session-cookie.ts'
import { buildTestServer, type InjectedAnswer, type TestServer } from '../../testing/test-server.ts'

describe('the limit of callers without credentials', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await buildTestServer({ rateLimitAnonymous: 5 })
    // A window is a second long, and a burst may take longer on a busy machine.
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterAll(async () => {
    vi.useRealTimers()
    await server.close()
  })

  function burst(path: string, token?: string): Promise<InjectedAnswer[]> {
    const input = token === undefined ? {} : { token }
    return Promise.all(Array.from({ length: 20 }, () => server.inject('GET', path, input)))
  }

  /** Starts a new window. */
  function rest() {
    vi.setSystemTime(Date.now() + 1100)
  }

  it.each(['/projects', '//users/sign_in', '//some/project.git/info/refs?service=git-upload-pack'])(
    'returns 429 over the limit: %s',
    async (path) => {
      rest()
      const answers = await burst(path)
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused.length).toBe(15)
      expect(refused[0]?.headers).toMatchObject({
        'retry-after': '1',
        'ratelimit-limit': '5',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '1',
      })
    },
  )

  it.each([
    ['/users/sign_in', { cookie: '_stithy_session=unknown' }],
    ['/users/sign_in', { cookie: 'other=1', authorization: 'Bearer x' }],
    ['/uploads/-/system/user/avatar/1/a.png', { cookie: 'other=1' }],
    ['/some/project/-/archive/v1/project-v1.zip', { authorization: 'Bearer unknown' }],
    ['/some/project.git/info/refs?service=git-upload-pack', { cookie: 'other=1' }],
    [
      '/some/project.git/info/refs?service=git-upload-pack',
      { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
    ],
    ['/-/api/', { authorization: 'Bearer unknown' }],
    ['/api/v4/nowhere', { 'private-token': 'unknown' }],
    ['/nowhere', { authorization: 'Basic eDp5' }],
  ])('counts requests whose credentials are nobody’s: %s %o', async (path, headers) => {
    rest()
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await server.inject('GET', `/${path}`, { headers })
        return answer.status
      }),
    )
    expect(statuses.filter((status) => status === 429).length).toBe(15)
  })

  it.each(['//-/liveness', '//-/readiness', '//-/health'])(
    'does not count checks: %s',
    async (path) => {
      const answers = await burst(path)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    },
  )

  it.each(['/nowhere', '/snippets/public/nowhere'])(
    'does not count requests of a valid token to a path without an endpoint: %s',
    async (path) => {
      rest()
      const answers = await burst(path, server.root.token)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    },
  )

  it('does not count a method that an endpoint lacks, with a valid token', async () => {
    rest()
    const { token } = server.root
    const sent = Array.from({ length: 20 }, () => server.inject('PATCH', '/version', { token }))
    const answers = await Promise.all(sent)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([405]))
  })

  it('does not count requests with a session', async () => {
    rest()
    const cookie = await server.app.db.transaction((tx) =>
      startSession(server.app, tx, {
        userId: server.root.id,
        remember: false,
        now: server.app.now(),
      }),
    )
    const headers = { cookie: `${sessionCookie}=${cookie}` }
    const answers = await Promise.all(
      ['/', '/', '/', '/-/profile/personal_access_tokens', '/', '/', '/'].map((path) =>
        server.inject('GET', `/${path}`, { headers }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 200))
  })

  it('does not count requests with a valid token', async () => {
    const answers = await burst('/projects', server.root.token)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('counts requests with an invalid token', async () => {
    rest()
    const statuses = (await burst('/projects', 'wrong')).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429).length).toBe(15)
  })

  it('counts requests with a revoked or expired token', async () => {
    const token = await server.buildToken(server.root.id, ['api'])
    await server.app.db.run('test.revoke-all', {}, (db) =>
      db.updateTable('tokens').set({ revoked: 1 }).where('name', '=', 'test'),
    )
    rest()
    const statuses = (await burst('/projects', token)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401).length).toBe(5)
    expect(statuses.filter((status) => status === 429).length).toBe(15)
  })
})
