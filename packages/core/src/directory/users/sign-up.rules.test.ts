import { describe, expect, it } from 'vitest'
import { type DomainRules, domainErrors } from './sign-up.rules.ts'

const open: DomainRules = {
  domain_whitelist: null,
  domain_blacklist: [],
  domain_blacklist_enabled: false,
}
const notAuthorized = ['domain is not authorized for sign-up']
const refused = ['is not from an allowed domain.']

describe('domainErrors', () => {
  it.each<[string, Partial<DomainRules>, string[]]>([
    ['a@example.com', {}, []],
    ['a@example.com', { domain_whitelist: ['example.com'] }, []],
    ['a@EXAMPLE.com', { domain_whitelist: ['Example.COM'] }, []],
    ['a@sub.example.com', { domain_whitelist: ['example.com'] }, notAuthorized],
    ['a@sub.example.com', { domain_whitelist: ['*.example.com'] }, []],
    ['a@example.com.evil.test', { domain_whitelist: ['*.example.com'] }, notAuthorized],
    ['a@exampleXcom', { domain_whitelist: ['example.com'] }, notAuthorized],
    ['a@b@evil.test', { domain_whitelist: ['b'] }, notAuthorized],
    ['a@evil.test', { domain_blacklist: ['*.test'] }, []],
    ['a@evil.test', { domain_blacklist: ['*.test'], domain_blacklist_enabled: true }, refused],
    ['a@good.org', { domain_blacklist: ['*.test'], domain_blacklist_enabled: true }, []],
    [
      'a@good.test',
      {
        domain_whitelist: ['good.test'],
        domain_blacklist: ['*.test'],
        domain_blacklist_enabled: true,
      },
      [],
    ],
  ])('%s by %j is %j', (email, rules, errors) => {
    expect(domainErrors(email, { ...open, ...rules })).toEqual(errors)
  })
})
