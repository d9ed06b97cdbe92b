import { describe, expect, it } from 'vitest'
import { isChallenge, verifies } from './pkce.ts'

/** RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

describe('verifies', () => {
  it('accepts the example of RFC 7636, appendix B', () => {
    expect(verifies(verifier, { value: challenge, method: 'S256' })).toBe(true)
  })

  it('compares plain challenges as they are', () => {
    expect(verifies(verifier, { value: verifier, method: 'plain' })).toBe(true)
    expect(verifies(challenge, { value: challenge, method: 'plain' })).toBe(true)
    expect(verifies(verifier, { value: challenge, method: 'plain' })).toBe(false)
  })

  it.each([challenge, `${verifier}x`, verifier.toUpperCase(), '', 'short', 'x'.repeat(129)])(
    'rejects %j',
    (wrong) => {
      expect(verifies(wrong, { value: challenge, method: 'S256' })).toBe(false)
    },
  )

  it('rejects a verifier without the form of one, even if it matches', () => {
    expect(verifies('short', { value: 'short', method: 'plain' })).toBe(false)
  })
})

describe('isChallenge', () => {
  it.each([
    [challenge, true],
    ['x'.repeat(42), false],
    ['x'.repeat(43), true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    [`${'x'.repeat(43)}=`, false],
    [`${'x'.repeat(43)}\n`, false],
  ])('%j: %s', (text, valid) => {
    expect(isChallenge(text)).toBe(valid)
  })
})
