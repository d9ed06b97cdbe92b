import { describe, expect, it } from 'vitest'
import {
  keyRestrictionErrors,
  keyTitleErrors,
  parseFingerprint,
  publicKeyLine,
} from './ssh-key.rules.ts'

describe('publicKeyLine', () => {
  it('trims, and collapses spaces between the parts', () => {
    expect(publicKeyLine(' ssh-rsa \t AAAA  ada  on x \r\n')).toBe('ssh-rsa AAAA ada on x')
  })

  it.each([
    'ssh-rsa AAAA\nssh-rsa BBBB',
    '-----BEGIN KEY-----\r\nx',
    `ssh-rsa ${'A'.repeat(5000)}`,
  ])('rejects %s', (text) => {
    expect(publicKeyLine(text)).toBeUndefined()
  })
})

describe('keyTitleErrors', () => {
  it.each([
    ['Machine', undefined],
    ['x'.repeat(255), undefined],
    [' ', { title: ["can't be blank"] }],
    ['x'.repeat(256), { title: ['is too long (maximum is 255 characters)'] }],
    ['a\u0000b', { title: ['is invalid'] }],
  ])('validates %j', (title, errors) => {
    expect(keyTitleErrors(title)).toEqual(errors)
  })
})

describe('keyRestrictionErrors', () => {
  const any = { rsa: 0, dsa: 0, ecdsa: 0, ed25519: 0 }

  it.each([
    [any, []],
    [{ ...any, rsa: 2048 }, []],
    [{ ...any, rsa: 2049 }, ['must be at least 2049 bits']],
    [{ ...any, rsa: -1 }, ['type is forbidden. Must be DSA, ECDSA, or ED25519']],
    [{ rsa: -1, dsa: -1, ecdsa: 0, ed25519: -1 }, ['type is forbidden. Must be ECDSA']],
    [{ rsa: -1, dsa: -1, ecdsa: -1, ed25519: -1 }, ['type is forbidden']],
  ])('applies %j to an RSA key of 2048 bits', (restrictions, errors) => {
    expect(keyRestrictionErrors({ type: 'rsa', bits: 2048 }, restrictions)).toEqual(errors)
  })
})

describe('parseFingerprint', () => {
  const sha256 = 'SHA256:tzRGDfz5McCiylcv8pUfyLeA5kFoTVkvMlRAIL99Pn+'
  const md5 = '00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff'

  it.each([
    [sha256, { sha256 }],
    [`${sha256}=`, { sha256 }],
    [md5, { md5 }],
    [`MD5:${md5.toUpperCase()}`, { md5 }],
    ['SHA256:x', undefined],
    [md5.replaceAll(':', ''), undefined],
    ['', undefined],
  ])('reads %s', (text, expected) => {
    expect(parseFingerprint(text)).toEqual(expected)
  })

  it('takes a space for the plus sign that a query string lost', () => {
    const [head = '', tail = ''] = ['SHA256:tzRGDfz5McCiylcv8pUfyLeA5kFoTVkvMlRAI', 'L99Pnk']
    expect(parseFingerprint(`${head} ${tail}`.slice(0, 50))).toEqual({
      sha256: `${head}+${tail}`.slice(0, 50),
    })
  })
})
