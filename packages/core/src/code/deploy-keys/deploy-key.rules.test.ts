import { describe, expect, it } from 'vitest'
import { keyTitleErrors, publicKeyLine } from './deploy-key.rules.ts'

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
