import { insertToken } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureRoot } from '../../app/ensure-root.ts'
import { authenticateBasic } from '../../code/git-http/basic.ts'
import { buildTestServer, type InjectInput, type TestServer } from '../../testing/test-server.ts'
import type { TooManySignInsError } from './password-sign-in.ts'
import { hashSecret } from './secret.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const day = 24 * 3600 * 1000
const refusedCode = { code: 'unauthorized' }
const limitedCode = { code: 'too_many_requests' }

async function oauthToken(userId: number, scopes: string[]): Promise<string> {
  const token = `oauth-${userId}-${scopes.join('-')}-0123456789`
  await server.app.db.transaction((tx) =>
    insertToken(tx, {
      userId,
      kind: 'oauth',
      name: 'client',
      tokenHash: hashSecret(token),
      scopes,
      expiresOn: null,
      createdById: null,
      createdAt: server.app.now(),
    }),
  )
  return token
}

describe('tokens', () => {
  it('are accepted in all four parameters and headers', async () => {
    const { token } = await server.buildUser()
    const credentials: InjectInput[] = [
      { headers: { 'private-token': token } },
      { headers: { authorization: `Bearer ${token}` } },
      { query: `private_token=${token}` },
      { query: `access_token=${token}` },
    ]
    for (const credential of credentials) {
      expect((await server.inject('GET', '/user', credential)).status).toBe(200)
    }
  })

  it('of OAuth clients are accepted as bearer tokens', async () => {
    const user = await server.buildUser()
    const token = await oauthToken(user.id, ['api'])
    const headers = { authorization: `Bearer ${token}` }
    expect((await server.inject('GET', '/user', { headers })).body.id).toBe(user.id)
  })

  it('expire at 00:00 UTC of their day', async () => {
    const own = await buildTestServer()
    try {
      const user = await own.buildUser()
      const tomorrow = new Date(own.app.now() + day).toISOString().slice(0, 10)
      const token = await own.buildToken(user.id, ['api'], tomorrow)
      expect((await own.inject('GET', '/user', { token })).status).toBe(200)
      own.advance(Date.parse(`${tomorrow}T00:00:00Z`) - own.app.now() + 1)
      const ended = await own.inject('GET', '/user', { token })
      expect(ended.status).toBe(401)
      expect(ended.body.error).toBe('invalid_token')
    } finally {
      await own.close()
    }
  })

  it('without the scope are rejected with the list of sufficient scopes', async () => {
    const user = await server.buildUser()
    const token = await server.buildToken(user.id, ['read_repository'])
    const answer = await server.inject('GET', '/user', { token })
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({ error: 'insufficient_scope', scope: 'api read_user' })
  })
})

describe('sudo', () => {
  it.each(['nobody%00', '%F0%9F%91%BB', '999999999999999', 'x'.repeat(300)])(
    'returns 404 to %s',
    async (name) => {
      const query = `sudo=${name}`
      const answer = await server.inject('GET', '/user', { token: server.root.token, query })
      expect(answer.status).toBe(404)
    },
  )

  it('requires an administrator and the scope', async () => {
    const user = await server.buildUser()
    const query = `sudo=${user.username}`
    const plain = await server.inject('GET', '/user', { token: user.token, query })
    expect(plain.body).toEqual({ message: '403 Forbidden - Must be admin to use sudo' })
    const token = await server.buildToken(1, ['api'])
    const narrow = await server.inject('GET', '/user', { token, query })
    expect(narrow.body).toMatchObject({ error: 'insufficient_scope', scope: 'sudo' })
  })
})

describe('credentials of git', () => {
  const address = '10.0.0.1'
  const use = (username: string, password: string) =>
    authenticateBasic(server.app, { username, password, address })

  it('can be a token with any user name, limited to its scopes', async () => {
    const user = await server.buildUser()
    const rights = async (scopes: string[]) => {
      const token = await server.buildToken(user.id, scopes)
      const { canRead, canWrite } = await use('anything', token)
      return { canRead, canWrite }
    }
    expect(await rights(['api'])).toEqual({ canRead: true, canWrite: true })
    expect(await rights(['write_repository'])).toEqual({ canRead: true, canWrite: true })
    expect(await rights(['read_repository'])).toEqual({ canRead: true, canWrite: false })
    await expect(rights(['read_user', 'sudo'])).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('can be an OAuth token only with the user name oauth2', async () => {
    const user = await server.buildUser()
    const token = await oauthToken(user.id, ['api'])
    expect((await use('oauth2', token)).user?.id).toBe(user.id)
    await expect(use(user.username, token)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('can be the username or e-mail address with the password', async () => {
    const user = await server.buildUser()
    expect((await use(user.username.toUpperCase(), user.password)).user?.id).toBe(user.id)
    expect((await use(user.email, user.password)).canWrite).toBe(true)
    await expect(use(user.username, 'wrong password')).rejects.toMatchObject({
      code: 'unauthorized',
    })
    await expect(use('', user.token)).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(use('a\0b', 'whatever')).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('are rejected for blocked users, and for users who must change their password', async () => {
    const user = await server.buildUser()
    const root = { token: server.root.token }
    await server.inject('PUT', `/users/${user.id}`, { ...root, body: { password: 'set by admin' } })
    await expect(use(user.username, 'set by admin')).rejects.toMatchObject({ code: 'forbidden' })
    expect((await use(user.username, user.token)).canRead).toBe(true)
    await server.inject('POST', `/users/${user.id}/block`, root)
    await expect(use(user.username, 'set by admin')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(use(user.username, user.token)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('are rejected after ten failures a minute, even when concurrent', async () => {
    const user = await server.buildUser()
    const tries = Array.from({ length: 15 }, (_, i) => use(user.username, `wrong ${i}`))
    const codes = (await Promise.allSettled(tries)).map((result) =>
      result.status === 'rejected' ? result.reason.code : 'allowed',
    )
    expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(10)
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(5)
    await expect(use(user.username, user.password)).rejects.toMatchObject({
      code: 'too_many_requests',
    })
    // The limit counts per account, whichever login name is used.
    for (const name of [user.username.toUpperCase(), user.email, user.email.toUpperCase()]) {
      await expect(use(name, user.password)).rejects.toMatchObject({ code: 'too_many_requests' })
    }
    const otherAddress = { username: user.username, password: user.password, address: '10.0.0.2' }
    expect((await authenticateBasic(server.app, otherAddress)).user?.id).toBe(user.id)
  })
})

describe('the rate limit of failed sign-ins', () => {
  async function answers(names: readonly string[]): Promise<object[]> {
    const found: object[] = []
    for (const username of names) {
      const attempt = { username, password: 'wrong password', address: '10.0.0.7' }
      const failure = await authenticateBasic(server.app, attempt).catch((error: unknown) => error)
      const { code, message, headers } = failure as TooManySignInsError
      found.push({ code, message, headers })
    }
    return found
  }

  it('counts all login names of an account together', async () => {
    const user = await server.buildUser()
    const spellings = [user.username, user.email, user.email.toUpperCase(), user.username]
    const codes = await answers([...spellings, ...spellings, ...spellings])
    expect(codes.slice(0, 10)).toEqual(Array(10).fill(expect.objectContaining(refusedCode)))
    expect(codes.slice(10)).toEqual(Array(2).fill(expect.objectContaining(limitedCode)))
  })

  it('is the same for an unknown login name', async () => {
    const user = await server.buildUser()
    const known = await answers(Array(12).fill(user.username))
    const unknown = await answers([
      ...Array(6).fill('Nobody-Here'),
      ...Array(6).fill('nobody-here'),
    ])
    expect(unknown).toEqual(known)
    expect(known[11]).toMatchObject({
      ...limitedCode,
      headers: { 'RateLimit-Limit': '10', 'RateLimit-Remaining': '0' },
    })
  })

  it('counts 60 failures per network, whatever the login names', async () => {
    const address = (host: number) => `2001:db8::${host.toString(16)}`
    const attempt = (host: number, network = '') =>
      authenticateBasic(server.app, {
        username: `nobody-${host}`,
        password: 'wrong password',
        address: network || address(host),
      }).catch((error: unknown) => (error as TooManySignInsError).code)
    for (let host = 1; host <= 60; host += 1) expect(await attempt(host)).toBe('unauthorized')
    expect(await attempt(61)).toBe('too_many_requests')
    expect(await attempt(61, '2001:db8:0:1::1')).toBe('unauthorized')
  })

  it('does not count successful sign-ins', async () => {
    const user = await server.buildUser()
    const right = { username: user.email, password: user.password, address: '10.0.0.7' }
    for (let i = 0; i < 12; i += 1) {
      expect((await authenticateBasic(server.app, right)).user?.id).toBe(user.id)
    }
  })
})

describe('ensureRoot', () => {
  it('created user 1 with a token of all scopes that never expires', async () => {
    const { body } = await server.inject('GET', '/user', { token: server.root.token })
    expect(body).toMatchObject({ id: 1, username: 'root', is_admin: true })
    const token = await server.app.db.first('test.root-token', {}, (db) =>
      db.selectFrom('tokens').select(['scopes', 'expiresOn']).where('id', '=', 1),
    )
    expect(JSON.parse(token?.scopes ?? '')).toEqual([
      'api',
      'read_user',
      'sudo',
      'read_repository',
      'write_repository',
    ])
    expect(token?.expiresOn).toBeNull()
  })

  it('applies the configured secrets to root on every start', async () => {
    const given = { password: 'another password', token: 'another-token-0123456789' }
    for (let i = 0; i < 2; i += 1) {
      expect(await ensureRoot(server.app, given)).toBeUndefined()
      expect((await server.inject('GET', '/user', { token: given.token })).status).toBe(200)
      const credentials = { username: 'root', password: given.password, address: '10.0.0.9' }
      expect((await authenticateBasic(server.app, credentials)).user?.id).toBe(1)
    }
    expect((await server.inject('GET', '/user', { token: server.root.token })).status).toBe(200)
  })
})
