import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import {
  bearer,
  createApplication,
  credentialsOf,
  expectError,
  getCode,
  redeem,
  refreshTokens,
  signedIn,
  type TestApplication,
  type TestBrowser,
  userStatus,
} from '../../testing/clients/oauth.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - POST /oauth/token, refresh_token: rotation; reuse revokes the family
 */

let server: TestServer
let user: Awaited<ReturnType<TestServer['buildUser']>>
let browser: TestBrowser
let app: TestApplication
beforeAll(async () => {
  server = await buildTestServer()
  user = await server.buildUser()
  browser = await signedIn(server, user)
  app = await createApplication(server)
})
afterAll(() => server.close())

const refresh = (token: string, values: Record<string, string> = credentialsOf(app)) =>
  refreshTokens(server, token, values)

describe('POST /oauth/token: refresh_token', () => {
  it('returns new tokens, and ends those from before', async () => {
    const first = (await redeem(server, app, await getCode(browser, app))).body
    const { status, body } = await refresh(first.refresh_token)
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'api' })
    expect(body.access_token).not.toBe(first.access_token)
    const ended = await server.inject('GET', '/user', bearer(first.access_token))
    expect([ended.status, ended.body]).toEqual([
      401,
      {
        message: '401 Unauthorized',
        error: 'invalid_token',
        error_description: expect.any(String),
      },
    ])
    expect(await userStatus(server, body.access_token)).toBe(200)
  })

  it('revokes the whole family when one is used again', async () => {
    const first = (await redeem(server, app, await getCode(browser, app))).body
    const second = (await refresh(first.refresh_token)).body
    expectError(await refresh(first.refresh_token), 401, 'invalid_grant')
    expect(await userStatus(server, second.access_token)).toBe(401)
    expectError(await refresh(second.refresh_token), 401, 'invalid_grant')
  })

  it('takes one once, even concurrently', async () => {
    const first = (await redeem(server, app, await getCode(browser, app))).body
    const answers = await Promise.all([1, 2, 3].map(() => refresh(first.refresh_token)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
  })

  it('keeps the scopes or gives fewer, and the next one has all again', async () => {
    const code = await getCode(browser, app, { scope: 'read_user email' })
    const first = (await redeem(server, app, code)).body
    const values = { ...credentialsOf(app), scope: 'email' }
    const fewer = (await refresh(first.refresh_token, values)).body
    expect(fewer.scope).toBe('email')
    expect((await server.inject('GET', '/user', bearer(fewer.access_token))).status).toBe(403)
    const more = { ...credentialsOf(app), scope: 'api' }
    expectError(await refresh(fewer.refresh_token, more), 400, 'invalid_scope')
    expect((await refresh(fewer.refresh_token)).body.scope).toBe('read_user email')
  })

  it('answers 401 for another client, an unknown token and a blocked user', async () => {
    const person = await server.buildUser()
    const page = await signedIn(server, person)
    const { body } = await redeem(server, app, await getCode(page, app))
    const other = await createApplication(server)
    const wrong = await refresh(body.refresh_token, credentialsOf(other))
    expectError(wrong, 401, 'invalid_grant')
    expectError(await refresh(body.refresh_token, {}), 401, 'invalid_grant')
    expectError(await refresh('nothing'), 401, 'invalid_grant')
    expectError(await refresh(body.access_token), 401, 'invalid_grant')
    await callAs(server, 'POST', `/users/${person.id}/block`, server.root.token)
    expectError(await refresh(body.refresh_token), 401, 'invalid_grant')
    await callAs(server, 'POST', `/users/${person.id}/unblock`, server.root.token)
    expect((await refresh(body.refresh_token)).status).toBe(200)
  })

  it('goes with the user, like everything that was granted', async () => {
    const person = await server.buildUser()
    const page = await signedIn(server, person)
    const { body } = await redeem(server, app, await getCode(page, app))
    await callAs(server, 'DELETE', `/users/${person.id}`, server.root.token)
    expect(await userStatus(server, body.access_token)).toBe(401)
    await server.runJobs()
    expectError(await refresh(body.refresh_token), 401, 'invalid_grant')
  })
})
