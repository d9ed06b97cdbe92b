import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMilliseconds } from '../../testing/processor-time.ts'
import { choosePassword, emailErrors, passwordErrors, userErrors } from './user.rules.ts'

describe('emailErrors', () => {
  it.each(['a@b', 'first.last+tag@sub.example.com', 'ü@exämple.de', "o'neil@x.org"])(
    'accepts %s',
    (email) => {
      expect(emailErrors(email)).toEqual([])
    },
  )

  it.each(['a', '@b', 'a@', 'a@b@c', 'a b@c', 'a@b.', 'a@.b', 'a@b..c', '<a@b>', 'a@b\n', 'a,b@c'])(
    'rejects %j',
    (email) => {
      expect(emailErrors(email)).toEqual(['is invalid'])
    },
  )

  // Mail to these would go to another address than the one whose domain was checked.
  it.each([
    'a(b)@c.d',
    'eve@evil.test(.example.com',
    'eve@evil.test".example.com',
    'a"b"@c.d',
    'a:b@c.d',
    'a@c.d:b',
    'a\\b@c.d',
    'a@c\u200b.d',
    'a\u00ad@c.d',
  ])('rejects %j', (email) => {
    expect(emailErrors(email)).toEqual(['is invalid'])
  })

  it('is fast for pathological addresses', () => {
    const check = () => emailErrors(`${'a.'.repeat(120)}@${'b.'.repeat(5)}`)
    expect(processorMilliseconds(check)).toBeLessThan(50)
  })
})

describe('passwordErrors', () => {
  it('accepts 8 to 128 characters', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 140 }), (password) => {
        const fits = password.length >= 8 && password.length <= 128
        expect(passwordErrors(password).length === 0).toBe(fits)
      }),
    )
  })
})

describe('userErrors', () => {
  it('accepts absent values', () => {
    expect(userErrors({})).toBeUndefined()
  })

  it('accepts an empty public e-mail address, which clears it', () => {
    expect(userErrors({ public_email: '' })).toBeUndefined()
  })

  it.each(['ghost', 'Ghost', 'users'])('reserves the username %s', (username) => {
    expect(userErrors({ username })).toEqual({ username: [`${username} is a reserved name`] })
  })

  it('returns an error for every invalid field', () => {
    const long = 'x'.repeat(256)
    const wrong = { email: '', username: 'api', name: ' ', password: 'short', bio: long }
    expect(userErrors(wrong)).toEqual({
      email: ["can't be blank"],
      username: ['api is a reserved name'],
      name: ["can't be blank"],
      password: ['is too short (minimum is 8 characters)'],
      bio: ['is too long (maximum is 255 characters)'],
    })
  })

  it('rejects control characters in names', () => {
    expect(userErrors({ name: 'a\u0007b' })).toEqual({ name: ['is invalid'] })
  })
})

describe('choosePassword', () => {
  it('prefers a reset to a password', () => {
    expect(choosePassword({ password: 'long enough', reset_password: true })).toEqual({
      kind: 'none',
    })
  })

  it('requires a password without a reset', () => {
    for (const body of [{ reset_password: false }, { password: '' }, {}]) {
      expect(choosePassword(body)).toEqual({ kind: 'missing' })
    }
  })

  it('uses the given password', () => {
    expect(choosePassword({ password: 'abc', reset_password: false })).toEqual({
      kind: 'given',
      password: 'abc',
    })
  })
})
