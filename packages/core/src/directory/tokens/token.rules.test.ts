import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTokenActive, tokenErrors, tokenExpiry } from './token.rules.ts'

describe('tokenErrors', () => {
  const now = Date.UTC(2030, 0, 31, 12)

  it('accepts a name, known scopes and a day', () => {
    const values = { name: 'ci', scopes: ['api', 'sudo'], expiresOn: '2030-02-28' }
    expect(tokenErrors(values, now)).toBeUndefined()
  })

  it('returns an error for every invalid field', () => {
    expect(tokenErrors({ name: ' ', scopes: [], expiresOn: '2030-02-30' }, now)).toEqual({
      name: ["can't be blank"],
      scopes: ["can't be blank"],
      expires_at: ['is invalid'],
    })
    expect(tokenErrors({ name: 'a\0b', scopes: ['api'], expiresOn: null }, now)).toEqual({
      name: ['is invalid'],
    })
    expect(tokenErrors({ name: 'a', scopes: ['api', 'root'], expiresOn: null }, now)).toEqual({
      scopes: ['can only contain available scopes'],
    })
  })

  it('accepts today and later days, and rejects past ones', () => {
    const errors = (expiresOn: string) =>
      tokenErrors({ name: 'ci', scopes: ['api'], expiresOn }, now)
    for (const day of ['2030-01-30', '1970-01-01']) {
      expect(errors(day)).toEqual({ expires_at: ['cannot be a date in the past'] })
    }
    for (const day of ['2030-01-31', '2030-02-01']) expect(errors(day)).toBeUndefined()
  })
})

describe('isTokenActive', () => {
  it('expires at 00:00 UTC of the day', () => {
    const expiresAt = tokenExpiry('2030-05-01')
    expect(
      isTokenActive({ revoked: false, expiresAt }, Date.UTC(2030, 3, 30, 23, 59, 59, 999)),
    ).toBe(true)
    expect(isTokenActive({ revoked: false, expiresAt }, Date.UTC(2030, 4, 1))).toBe(false)
  })

  it('stays inactive once it is inactive', () => {
    const timestamps = fc.integer({ min: 0, max: 4_102_444_800_000 })
    fc.assert(
      fc.property(timestamps, timestamps, timestamps, fc.boolean(), (expiresAt, a, b, revoked) => {
        const [early, late] = a < b ? [a, b] : [b, a]
        const token = { revoked, expiresAt }
        if (isTokenActive(token, late)) expect(isTokenActive(token, early)).toBe(true)
        if (revoked) expect(isTokenActive(token, early)).toBe(false)
      }),
    )
  })
})
