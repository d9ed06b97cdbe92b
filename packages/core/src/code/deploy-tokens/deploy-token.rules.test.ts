import { describe, expect, it } from 'vitest'
import { deployTokenErrors, deployTokenUsername } from './deploy-token.rules.ts'

const now = Date.parse('2020-05-05T12:00:00Z')
const today = Date.parse('2020-05-05T00:00:00Z')
const sound = { name: 'Reader', username: null, scopes: ['read_repository'], expiresAt: null }

describe('deployTokenErrors', () => {
  it.each([
    [{}, undefined],
    [{ username: 'a.b+c_d-e' }, undefined],
    [{ expiresAt: today }, undefined],
    [{ expiresAt: today - 1 }, { expires_at: ['cannot be a date in the past'] }],
    [{ name: '\t' }, { name: ["can't be blank"] }],
    [{ name: 'a\nb' }, { name: ['is invalid'] }],
    [{ scopes: [] }, { scopes: ["can't be blank"] }],
    [{ username: 'x'.repeat(256) }, { username: ['is too long (maximum is 255 characters)'] }],
    [
      { username: 'a:b' },
      { username: ["can contain only letters, digits, '_', '-', '+', and '.'"] },
    ],
  ])('validates %j', (values, errors) => {
    expect(deployTokenErrors({ ...sound, ...values }, now)).toEqual(errors)
  })
})

describe('a deploy token', () => {
  it('has a generated user name unless one was given', () => {
    expect(deployTokenUsername({ id: 7, username: null })).toBe('deploy-token-7')
    expect(deployTokenUsername({ id: 7, username: 'ci' })).toBe('ci')
  })
})
