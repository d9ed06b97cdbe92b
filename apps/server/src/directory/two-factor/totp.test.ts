import { describe, expect, it } from 'vitest'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { findTotpStep, newTotpSecret, otpauthUrl, readTotpCode } from './totp.ts'

/** `12345678901234567890`, the secret of the test vectors. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('findTotpStep', () => {
  // RFC 6238, appendix B: the last six of the eight digits.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('finds the code of the RFC at %i seconds', (seconds, code) => {
    const step = Math.floor(seconds / 30)
    const at = (offset: number) => findTotpStep(secret, code, (step + offset) * 30_000 + 15_000)
    expect([at(-2), at(-1), at(0), at(1), at(2)]).toEqual([undefined, step, step, step, undefined])
  })

  it('refuses other codes', () => {
    expect(findTotpStep(secret, '287083', 59_000)).toBeUndefined()
  })
})

describe('readTotpCode', () => {
  it.each([
    ['123456', '123456'],
    ['123 456', '123456'],
    ['12345', undefined],
    ['1234567', undefined],
    ['12345a', undefined],
    ['１２３４５６', undefined],
    ['', undefined],
  ])('reads %j as %j', (text, code) => {
    expect(readTotpCode(text)).toBe(code)
  })
})

describe('newTotpSecret', () => {
  it('has 160 bits, and is different each time', () => {
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
    expect(newTotpSecret()).not.toBe(newTotpSecret())
  })
})

describe('otpauthUrl', () => {
  it('names issuer and account', () => {
    const url = new URL(otpauthUrl(secret, { issuer: 'Stithy', label: 'a:b@c' }))
    expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp'])
    expect(url.pathname).toBe('/Stithy:a%3Ab%40c')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'Stithy',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})

describe('newRecoveryCodes', () => {
  it('returns ten different codes', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[a-z0-9]{8}-[a-z0-9]{8}$/)
  })

  it('are compared without regard to case, spaces and dashes', () => {
    expect(hashRecoveryCode('ABCD efgh-2345 6789')).toBe(hashRecoveryCode('abcdefgh-23456789'))
  })
})
