import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import {
  createApplication,
  credentialsOf,
  expectError,
  passwordTokens,
  postForm,
  refreshTokens,
  type TestApplication,
  userStatus,
} from '../../testing/clients/oauth.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - POST /oauth/token, password: no client needed; refused for users with two-factor, blocked users
 *   and wrong passwords
 * - a new password ends the tokens that the old one was exchanged for
 */

let server: TestServer
let user: Awaited<ReturnType<TestServer['buildUser']>>
let app: TestApplication
beforeAll(async () => {
  server = await buildTestServer()
  user = await server.buildUser()
  app = await createApplication(server)
})
afterAll(() => server.close())

const refresh = (token: string, values: Record<string, string> = credentialsOf(app)) =>
  refreshTokens(server, token, values)

describe('POST /oauth/token: password', () => {
  it('gives tokens that end when the password is changed; those of applications work on', async () => {
    const { id, username, password } = await server.buildUser()
    const tokens = await passwordTokens(server, { username, password })
    const ofApp = await passwordTokens(server, { username, password }, credentialsOf(app))
    const { status } = await server.inject('PUT', `/users/${id}`, {
      token: server.root.token,
      body: { password: 'another long password' },
    })
    expect(status).toBe(200)
    expect(await userStatus(server, tokens.access_token)).toBe(401)
    expectError(await refresh(tokens.refresh_token, {}), 401, 'invalid_grant')
    expect(await userStatus(server, ofApp.access_token)).toBe(200)
  })

  it('needs no client, and takes JSON as well', async () => {
    const { username, password, email } = user
    const body = { grant_type: 'password', username, password }
    const json = await server.inject('POST', '//oauth/token', { body })
    expect([json.status, json.body.scope]).toEqual([200, 'api'])
    expect(await userStatus(server, json.body.access_token)).toBe(200)
    const tokens = await passwordTokens(server, { username: email, password })
    const next = await refresh(tokens.refresh_token, {})
    expect(await userStatus(server, next.body.access_token)).toBe(200)
  })

  it('gives the scopes that are asked for, and sudo to administrators only', async () => {
    const scope = async (values: Record<string, string>, by = user) =>
      (await passwordTokens(server, by, values)).scope
    expect(await scope({ scope: 'read_repository' })).toBe('read_repository')
    const narrow = await createApplication(server, { scopes: 'read_user sudo' })
    const all = { ...credentialsOf(narrow), scope: 'sudo read_user' }
    expect(await scope(all)).toBe('read_user')
    expect(await scope(credentialsOf(narrow))).toBe('read_user')
    expect(await scope(all, { ...user, ...server.root })).toBe('read_user sudo')
    const { username, password } = user
    const fields = { grant_type: 'password', username, password }
    for (const wrong of [
      { scope: 'root' },
      { scope: 'sudo' },
      { ...credentialsOf(narrow), scope: 'api' },
      { ...credentialsOf(narrow), scope: 'sudo' },
    ]) {
      expectError(await postForm(server, 'token', { ...fields, ...wrong }), 400, 'invalid_scope')
    }
  })

  it('answers 401 for a wrong password, an unknown and a blocked user, and a wrong client', async () => {
    const blocked = await server.buildUser()
    await callAs(server, 'POST', `/users/${blocked.id}/block`, server.root.token)
    for (const fields of [
      { username: user.username, password: 'wrong' },
      { username: 'nobody-at-all', password: 'wrong' },
      { username: blocked.username, password: blocked.password },
    ]) {
      const answer = await postForm(server, 'token', { grant_type: 'password', ...fields })
      expectError(answer, 401, 'invalid_grant')
    }
    const { username, password } = user
    const fields = { grant_type: 'password', username, password, client_id: app.application_id }
    expectError(await postForm(server, 'token', fields), 401, 'invalid_client')
  })

  it('answers 401 for users with two-factor, and who must change their password', async () => {
    const careful = await server.buildUser()
    await server.app.db.run('test.two-factor', { id: careful.id }, (db, $) =>
      db.updateTable('users').set({ twoFactorEnabled: 1 }).where('id', '=', $('id')),
    )
    const reset = await server.buildUser()
    const password = 'set by an admin'
    await callAs(server, 'PUT', `/users/${reset.id}`, server.root.token, { password })
    for (const each of [careful, { ...reset, password }]) {
      const { username } = each
      const fields = { grant_type: 'password', username, password: each.password }
      expectError(await postForm(server, 'token', fields), 401, 'invalid_grant')
    }
  })

  it('answers 429 after ten failures a minute', async () => {
    const other = await server.buildUser()
    const fields = { grant_type: 'password', username: other.username }
    const send = (password: string) => postForm(server, 'token', { ...fields, password })
    for (let i = 0; i < 10; i += 1) expect((await send('wrong')).status).toBe(401)
    const limited = await send(other.password)
    expect(limited.status).toBe(429)
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  })
})
