import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bearer,
  createApplication,
  getCode,
  redeem,
  signedIn,
  type TestBrowser,
} from '../../testing/clients/oauth.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - a request costs one indexed look-up of its caller: by a token of any kind, or by a session
 */

let server: TestServer
let user: Awaited<ReturnType<TestServer['buildUser']>>
let browser: TestBrowser
beforeAll(async () => {
  server = await buildTestServer()
  user = await server.buildUser()
  browser = await signedIn(server, user)
})
afterAll(() => server.close())

/** The queries of a request that needs nothing but its caller. */
async function countQueries(send: () => Promise<{ status: number }>): Promise<number> {
  await send()
  const before = server.app.db.stats.queries
  expect((await send()).status).toBe(200)
  return server.app.db.stats.queries - before
}

const bySession = () => browser.send('GET', '/api/v4/version')

describe('the look-up of the caller', () => {
  it('is one query for a personal access token', async () => {
    const get = () => server.inject('GET', '/version', { token: user.token })
    expect(await countQueries(get)).toBe(1)
  })

  it('is one query for an access token of an application', async () => {
    const app = await createApplication(server)
    const code = await getCode(browser, app, { scope: 'api' })
    const token = (await redeem(server, app, code)).body.access_token
    expect(await countQueries(() => server.inject('GET', '/version', bearer(token)))).toBe(1)
  })

  it('is one query for a session, while nothing requires two-factor authentication', async () => {
    expect(await countQueries(bySession)).toBe(1)
    await setSetting(server, 'require_two_factor_authentication', false)
    expect(await countQueries(bySession)).toBe(1)
    await server.buildGroup({ require_two_factor_authentication: true })
    expect(await countQueries(bySession)).toBe(2)
  })
})
