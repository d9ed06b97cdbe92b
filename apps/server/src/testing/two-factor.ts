import { Secret, TOTP } from 'otpauth'
import type { TestServer } from './test-server.ts'

/** The code that an authenticator app with this secret shows at a time, in milliseconds. */
export function totpAt(secret: string, timestamp: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** Six digits that no authenticator app with this secret shows around a time. */
export function wrongTotpAt(secret: string, timestamp: number): string {
  const shown = [-2, -1, 0, 1, 2].map((step) => totpAt(secret, timestamp + step * 30_000))
  const candidates = ['000000', '111111', '222222', '333333', '444444', '555555']
  return candidates.find((code) => !shown.includes(code)) ?? ''
}

export interface TwoFactorApp {
  secret: string
  recoveryCodes: string[]
  /** A code that was not used yet; the clock of the server moves on for it. */
  nextCode: () => string
  wrongCode: () => string
}

/** Turns on two-factor authentication of a user. */
export async function enableTwoFactor(
  server: TestServer,
  { token }: { token: string },
): Promise<TwoFactorApp> {
  const { secret } = (await server.inject('POST', '/user/two_factor', { token })).body
  const body = { otp: totpAt(secret, server.app.now()) }
  const confirmed = await server.inject('POST', '/user/two_factor/confirm', { token, body })
  if (confirmed.status !== 200) throw new Error(`confirm: ${confirmed.status} ${confirmed.text}`)
  return {
    secret,
    recoveryCodes: confirmed.body.recovery_codes,
    nextCode() {
      server.advance(30_000)
      return totpAt(secret, server.app.now())
    },
    wrongCode: () => wrongTotpAt(secret, server.app.now()),
  }
}
