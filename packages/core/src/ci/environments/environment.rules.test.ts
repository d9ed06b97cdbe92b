import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deploymentRef, environmentErrors, environmentSlug } from './environment.rules.ts'

const suffix = 'abc123'
const slug = (name: string, isTaken?: boolean) => environmentSlug(name, suffix, isTaken)

describe('environmentSlug', () => {
  it.each([
    ['staging', 'staging'],
    ['review-1', 'review-1'],
    ['a23456789012345678901234', 'a23456789012345678901234'],
    ['Staging', 'staging-abc123'],
    ['review/my branch', 'review-my-branch-abc123'],
    ['a234567890123456789012345', 'a2345678901234567-abc123'],
    ['1', 'env-1-abc123'],
    ['a--b', 'a-b-abc123'],
    ['a-', 'a-abc123'],
    ['$', 'env-abc123'],
    ['a234567890123456/8901234567', 'a234567890123456-abc123'],
  ])('of %j is %j', (name, expected) => {
    expect(slug(name)).toBe(expected)
  })

  it('has a random end where the name itself is taken', () => {
    expect(slug('staging', true)).toBe('staging-abc123')
  })

  it('is always a label of host names, and part of a valid ref', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 300 }), fc.boolean(), (name, isTaken) => {
        expect(slug(name, isTaken)).toMatch(/^[a-z](?:[a-z0-9]|-(?=[a-z0-9])){0,23}$/)
      }),
    )
    expect(deploymentRef('staging', 7)).toBe('refs/environments/staging/deployments/7')
  })
})

const characters =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, " +
  "but it cannot start or end with '/'"

describe('environmentErrors', () => {
  it.each(['a', 'review/x', 'Prod 1', 'a_b-c.d', `\${X}`, 'x'.repeat(255)])(
    'allows the name %j',
    (name) => {
      expect(environmentErrors({ name })).toBeUndefined()
    },
  )

  it.each([
    ['', "can't be blank"],
    ['  ', "can't be blank"],
    ['/a', characters],
    ['a/', characters],
    ['a:b', characters],
    ['é', characters],
    ['a\nb', characters],
    ['x'.repeat(256), 'is too long (maximum is 255 characters)'],
  ])('refuses the name %j', (name, text) => {
    expect(environmentErrors({ name })).toEqual({ name: [text] })
  })

  it('refuses every slug', () => {
    const text = 'is automatically generated and cannot be changed'
    for (const sent of ['', 'a', null]) {
      expect(environmentErrors({ slug: sent })).toEqual({ slug: [text] })
    }
  })

  it.each([null, '', 'http://a.example', 'HTTPS://a.example/b?c#d'])(
    'allows the address %j',
    (url) => {
      expect(environmentErrors({ external_url: url })).toBeUndefined()
    },
  )

  it.each([
    ['ftp://a.example', 'is blocked: only http and https are allowed'],
    ['javascript:alert(1)', 'is blocked: only http and https are allowed'],
    ['a.example', 'must be a valid URL'],
    ['http://', 'must be a valid URL'],
    ['https://u:p@a.example', 'must not contain a user name or password'],
    [`https://a.example/${'x'.repeat(255)}`, 'is too long (maximum is 255 characters)'],
  ])('refuses the address %j', (url, text) => {
    expect(environmentErrors({ external_url: url })).toEqual({ external_url: [text] })
  })
})
