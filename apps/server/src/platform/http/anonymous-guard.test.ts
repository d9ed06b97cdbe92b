import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type InjectedAnswer, type TestServer } from '../../testing/test-server.ts'

describe('the limit of callers without credentials', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await buildTestServer({ rateLimitAnonymous: 5 })
  })
  afterAll(() => server.close())

  function burst(path: string, token?: string): Promise<InjectedAnswer[]> {
    const input = token === undefined ? {} : { token }
    return Promise.all(Array.from({ length: 20 }, () => server.inject('GET', path, input)))
  }

  /** Starts a new window. */
  function rest() {
    return new Promise((resolve) => setTimeout(resolve, 1100))
  }

  it.each(['/projects', '//users/sign_in', '//some/project.git/info/refs?service=git-upload-pack'])(
    'returns 429 over the limit: %s',
    async (path) => {
      await rest()
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

  it('does not count requests with a valid token', async () => {
    const answers = await burst('/projects', server.root.token)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('counts requests with an invalid token', async () => {
    await rest()
    const statuses = (await burst('/projects', 'wrong')).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429).length).toBe(15)
  })

  it('counts requests with a revoked or expired token', async () => {
    const token = await server.buildToken(server.root.id, ['api'])
    await server.app.db.run('test.revoke-all', {}, (db) =>
      db.updateTable('tokens').set({ revoked: 1 }).where('name', '=', 'test'),
    )
    await rest()
    const statuses = (await burst('/projects', token)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401).length).toBe(5)
    expect(statuses.filter((status) => status === 429).length).toBe(15)
  })
})
