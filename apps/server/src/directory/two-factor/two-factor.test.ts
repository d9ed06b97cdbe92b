/**
 * - `GET /user/two_factor` returns `{enabled, recovery_codes_left}`
 * - `POST /user/two_factor` begins: 201 `{secret, otpauth_url}`
 * - `POST /user/two_factor/confirm` with `otp`: 200 `{recovery_codes: [10 texts]}`, shown once; a wrong
 *   code 400
 * - `POST /user/two_factor/recovery_codes`, `DELETE /user/two_factor`: new codes, off; both want `otp`
 *   or `password`
 * - `PATCH /users/:id/disable_two_factor`: 204; 400 if it is off, 403 for administrators, 404
 * - `two_factor_enabled` of users, `GET /users?two_factor=`
 * - HTTP Basic with a password is 401 for users with two-factor, tokens work on
 */
import { findTwoFactor } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticateBasic } from '../../code/git-http/basic.ts'
import { callAs } from '../../testing/clients/calls.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { enableTwoFactor, totpAt, wrongTotpAt } from '../../testing/two-factor.ts'
import { passwordSignIn } from '../authentication/password-sign-in.ts'
import { openTotpSecret } from './totp-secret.ts'

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const call = (method: string, path: string, token?: string, body?: unknown) =>
  callAs(server, method, path, token, body)
const show = async (token: string) => (await call('GET', '/user/two_factor', token)).body
const off = { enabled: false, recovery_codes_left: 0 }

async function userWithTwoFactor(overrides: Record<string, unknown> = {}) {
  const user = await server.buildUser(overrides)
  return { user, app: await enableTwoFactor(server, user) }
}

describe('POST /user/two_factor', () => {
  it('returns 201 with a secret and its URL, and changes nothing yet', async () => {
    const user = await server.buildUser()
    const { status, body } = await call('POST', '/user/two_factor', user.token)
    expect([status, Object.keys(body)]).toEqual([201, ['secret', 'otpauth_url']])
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    const url = new URL(body.otpauth_url)
    expect(url.protocol).toBe('otpauth:')
    expect(decodeURIComponent(url.pathname)).toContain(`${user.username}@stithy.test`)
    expect(url.searchParams.get('secret')).toBe(body.secret)
    expect(await show(user.token)).toEqual(off)
    const me = (await call('GET', '/user', user.token)).body
    expect(me.two_factor_enabled).toBe(false)
  })

  it('stores the secret encrypted, for this user alone', async () => {
    const { id, token } = await server.buildUser()
    const { secret } = (await call('POST', '/user/two_factor', token)).body
    const row = await findTwoFactor(server.app.db, id)
    expect(row?.secret).toMatch(/^v1\./)
    expect(openTotpSecret(server.app.secrets, id, row?.secret ?? '')).toBe(secret)
    expect(openTotpSecret(server.app.secrets, id + 1, row?.secret ?? '')).toBeUndefined()
  })

  it('replaces a secret that is not confirmed', async () => {
    const { token } = await server.buildUser()
    const first = (await call('POST', '/user/two_factor', token)).body.secret
    const second = (await call('POST', '/user/two_factor', token)).body.secret
    const confirm = (secret: string) =>
      call('POST', '/user/two_factor/confirm', token, { otp: totpAt(secret, server.app.now()) })
    expect((await confirm(first)).status).toBe(400)
    expect((await confirm(second)).status).toBe(200)
  })

  it('returns 400 once it is on, and 401 without a token', async () => {
    const { user } = await userWithTwoFactor()
    const { status, body } = await call('POST', '/user/two_factor', user.token)
    expect([status, body]).toEqual([
      400,
      { message: 'Two-factor authentication is already enabled' },
    ])
    expect((await call('POST', '/user/two_factor')).status).toBe(401)
  })
})

describe('POST /user/two_factor/confirm', () => {
  it('returns 200 with ten recovery codes, and turns it on', async () => {
    const { user, app } = await userWithTwoFactor()
    expect(new Set(app.recoveryCodes).size).toBe(10)
    expect(await show(user.token)).toEqual({ enabled: true, recovery_codes_left: 10 })
    expect((await call('GET', '/user', user.token)).body.two_factor_enabled).toBe(true)
    const listed = async (filter: string) =>
      (
        await call(
          'GET',
          `/users?username=${user.username}&two_factor=${filter}`,
          server.root.token,
        )
      ).body.length
    expect([await listed('enabled'), await listed('disabled')]).toEqual([1, 0])
  })

  it('stores no recovery code in plain text', async () => {
    const { app } = await userWithTwoFactor()
    const rows = await server.app.db.all('test.recovery-codes', {}, (db) =>
      db.selectFrom('recoveryCodes').selectAll(),
    )
    expect(rows.length).toBeGreaterThanOrEqual(10)
    for (const code of app.recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code)
  })

  it('returns 400 for a wrong code and for a recovery code, and without an app', async () => {
    const { token } = await server.buildUser()
    const confirm = (otp: string) => call('POST', '/user/two_factor/confirm', token, { otp })
    const absent = await confirm('123456')
    expect([absent.status, absent.body]).toEqual([
      400,
      { message: 'Set up an authenticator app first' },
    ])
    const { secret } = (await call('POST', '/user/two_factor', token)).body
    for (const otp of [
      wrongTotpAt(secret, server.app.now()),
      'abcdefgh-23456789',
      'x'.repeat(64),
    ]) {
      const { status, body } = await confirm(otp)
      expect([status, body]).toEqual([400, { message: 'The code is wrong, or was used already' }])
    }
    expect((await confirm('x'.repeat(65))).body).toEqual({
      error: 'otp is too long (maximum is 64 characters)',
    })
    expect((await call('POST', '/user/two_factor/confirm', token)).body).toEqual({
      error: 'otp is missing',
    })
    expect(await show(token)).toEqual(off)
  })

  it('accepts the codes of 30 seconds before and after, and no others', async () => {
    for (const [offset, status] of [
      [-60_000, 400],
      [-30_000, 200],
      [30_000, 200],
      [60_000, 400],
    ] as const) {
      const { token } = await server.buildUser()
      const { secret } = (await call('POST', '/user/two_factor', token)).body
      const otp = totpAt(secret, server.app.now() + offset)
      expect((await call('POST', '/user/two_factor/confirm', token, { otp })).status).toBe(status)
    }
  })

  it('returns 429 after ten wrong codes', async () => {
    const { token } = await server.buildUser()
    const { secret } = (await call('POST', '/user/two_factor', token)).body
    const confirm = (otp: string) => call('POST', '/user/two_factor/confirm', token, { otp })
    const wrong = wrongTotpAt(secret, server.app.now())
    const tries = await Promise.all(Array.from({ length: 12 }, () => confirm(wrong)))
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(10)
    const limited = tries.filter(({ status }) => status === 429)
    expect(limited).toHaveLength(2)
    expect(Number(limited[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await confirm(totpAt(secret, server.app.now()))).status).toBe(429)
    // The rate limit of failed sign-ins ends first, the lock of the account later.
    server.advance(61_000)
    const locked = await confirm(totpAt(secret, server.app.now()))
    expect(locked.status).toBe(429)
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(500)
    server.advance(10 * 60_000)
    expect((await confirm(totpAt(secret, server.app.now()))).status).toBe(200)
  })
})

describe.each([
  ['POST', '/user/two_factor/recovery_codes', 201],
  ['DELETE', '/user/two_factor', 204],
])('%s %s', (method, path, success) => {
  it('succeeds with a code, a recovery code or the password', async () => {
    for (const proof of ['otp', 'recovery', 'password']) {
      const { user, app } = await userWithTwoFactor()
      const body =
        proof === 'password'
          ? { password: user.password }
          : { otp: proof === 'otp' ? app.nextCode() : app.recoveryCodes[3] }
      const answer = await call(method, path, user.token, body)
      expect([proof, answer.status]).toEqual([proof, success])
    }
  })

  it('returns 400 without either, for wrong ones, and where it is off', async () => {
    const { user, app } = await userWithTwoFactor()
    const refused = async (body: object, token = user.token) => {
      const answer = await call(method, path, token, body)
      expect(answer.status).toBe(400)
      return answer.body
    }
    expect(await refused({})).toEqual({
      error: 'otp, password are missing, at least one parameter must be provided',
    })
    expect(await refused({ otp: app.wrongCode() })).toEqual({
      message: 'The code is wrong, or was used already',
    })
    expect(await refused({ password: 'not the password' })).toEqual({
      message: 'The password is wrong',
    })
    expect(await refused({ otp: app.wrongCode(), password: user.password })).toMatchObject({
      message: expect.stringContaining('code is wrong'),
    })
    const other = await server.buildUser()
    for (const body of [{ otp: '123456' }, { password: other.password }]) {
      expect(await refused(body, other.token)).toEqual({
        message: 'Two-factor authentication is not enabled for this user',
      })
    }
    expect(await show(user.token)).toEqual({ enabled: true, recovery_codes_left: 10 })
    expect((await call(method, path, undefined, { otp: '123456' })).status).toBe(401)
  })

  it('uses no code twice, nor an older one after a newer one', async () => {
    const { user, app } = await userWithTwoFactor()
    const used = totpAt(app.secret, server.app.now())
    expect((await call(method, path, user.token, { otp: used })).status).toBe(400)
    const renew = (otp: string | undefined) =>
      call('POST', '/user/two_factor/recovery_codes', user.token, { otp })
    const older = app.nextCode()
    expect((await renew(totpAt(app.secret, server.app.now() + 30_000))).status).toBe(201)
    expect((await call(method, path, user.token, { otp: older })).status).toBe(400)
  })

  it('accepts one of many concurrent requests with the same code', async () => {
    for (const kind of ['otp', 'recovery']) {
      const { user, app } = await userWithTwoFactor()
      const otp = kind === 'otp' ? app.nextCode() : app.recoveryCodes[0]
      const renew = () => call('POST', '/user/two_factor/recovery_codes', user.token, { otp })
      const all = await Promise.all(Array.from({ length: 4 }, renew))
      expect(all.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400])
    }
  })
})

describe('POST /user/two_factor/recovery_codes', () => {
  it('replaces the earlier codes', async () => {
    const { user, app } = await userWithTwoFactor()
    const [old = ''] = app.recoveryCodes
    const body = { password: user.password }
    const renewed = await call('POST', '/user/two_factor/recovery_codes', user.token, body)
    const codes: string[] = renewed.body.recovery_codes
    expect(new Set([...codes, ...app.recoveryCodes]).size).toBe(20)
    const turnOff = (otp: string | undefined) =>
      call('DELETE', '/user/two_factor', user.token, { otp })
    expect((await turnOff(old)).status).toBe(400)
    expect((await turnOff(codes[9]?.toUpperCase())).status).toBe(204)
  })
})

describe('DELETE /user/two_factor', () => {
  it('turns it off, with the recovery codes, and it can be set up again', async () => {
    const { user, app } = await userWithTwoFactor()
    await call('DELETE', '/user/two_factor', user.token, { otp: app.nextCode() })
    expect(await show(user.token)).toEqual(off)
    expect((await call('GET', '/user', user.token)).body.two_factor_enabled).toBe(false)
    const again = await enableTwoFactor(server, user)
    expect(again.secret).not.toBe(app.secret)
    const old = { otp: app.recoveryCodes[0] }
    expect((await call('DELETE', '/user/two_factor', user.token, old)).status).toBe(400)
  })

  it('limits wrong passwords like failed sign-ins', async () => {
    const { user } = await userWithTwoFactor()
    const guess = (password: string) => call('DELETE', '/user/two_factor', user.token, { password })
    for (let i = 0; i < 10; i += 1) expect((await guess(`wrong ${i} wrong`)).status).toBe(400)
    expect((await guess(user.password)).status).toBe(429)
  })
})

describe('PATCH /users/:id/disable_two_factor', () => {
  const disable = (id: number | string, token?: string) =>
    call('PATCH', `/users/${id}/disable_two_factor`, token)

  it('returns 204 to administrators, and the password alone signs in', async () => {
    const { user } = await userWithTwoFactor()
    const answer = await disable(user.id, server.root.token)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await show(user.token)).toEqual(off)
    const attempt = { login: user.username, password: user.password, address: '10.0.0.1' }
    expect((await passwordSignIn(server.app, attempt)).id).toBe(user.id)
  })

  it('returns 400 where it is off, 403 for administrators and 404 for unknown users', async () => {
    const plain = await server.buildUser()
    const { status, body } = await disable(plain.id, server.root.token)
    expect([status, body]).toEqual([
      400,
      { message: 'Two-factor authentication is not enabled for this user' },
    ])
    const { user: admin } = await userWithTwoFactor({ admin: true })
    const forAdmin = await disable(admin.id, server.root.token)
    expect(forAdmin.status).toBe(403)
    expect(forAdmin.body.message).toContain('administrators cannot be disabled through the API')
    expect((await show(admin.token)).enabled).toBe(true)
    expect((await disable(999_999, server.root.token)).status).toBe(404)
  })

  it('returns 403 to other users, also for themselves, and 401 without a token', async () => {
    const { user } = await userWithTwoFactor()
    expect((await disable(user.id, user.token)).status).toBe(403)
    expect((await disable(user.id)).status).toBe(401)
    expect((await show(user.token)).enabled).toBe(true)
  })
})

describe('a user with two-factor authentication', () => {
  const address = '10.0.0.1'

  it('cannot use the password for Git, but tokens', async () => {
    const { user } = await userWithTwoFactor()
    const { username, password, token } = user
    await expect(
      authenticateBasic(server.app, { username, password, address }),
    ).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'Use a personal access token as the password: two-factor sign-in is on.',
    })
    const byToken = { username, password: token, address }
    expect((await authenticateBasic(server.app, byToken)).user?.id).toBe(user.id)
    expect((await call('GET', '/user', token)).status).toBe(200)
  })

  it('gets the same answer to a wrong password as anyone, also after many', async () => {
    const { user } = await userWithTwoFactor()
    const plain = await server.buildUser()
    const failures = async (login: string) => {
      const found: unknown[] = []
      for (let i = 0; i < 12; i += 1) {
        const attempt = { login, password: 'wrong password', address: '10.0.0.3' }
        const { code, message } = await passwordSignIn(server.app, attempt).catch((error) => error)
        found.push({ code, message })
      }
      return found
    }
    const known = await failures(user.username)
    expect(known[0]).toMatchObject({ code: 'unauthorized' })
    expect(known[11]).toMatchObject({ code: 'too_many_requests' })
    expect(await failures(plain.username)).toEqual(known)
    expect(await failures('nobody-of-that-name')).toEqual(known)
  })

  it('leaves nothing behind when they are deleted', async () => {
    const { user } = await userWithTwoFactor()
    await call('DELETE', `/users/${user.id}`, server.root.token)
    await server.runJobs()
    for (const table of ['twoFactors', 'recoveryCodes', 'pendingSignIns'] as const) {
      const rows = await server.app.db.all(`test.left|${table}`, { id: user.id }, (db, $) =>
        db.selectFrom(table).select('userId').where('userId', '=', $('id')),
      )
      expect(rows).toEqual([])
    }
  })
})
