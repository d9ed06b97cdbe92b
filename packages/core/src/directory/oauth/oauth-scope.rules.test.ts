import { describe, expect, it } from 'vitest'
import { allowedScopes, oauthScopes, readScopes, requestedScopes } from './oauth-scope.rules.ts'

describe('readScopes', () => {
  it.each([
    ['', []],
    ['read_user api', ['api', 'read_user']],
    ['  api   api ', ['api']],
    ['api root', undefined],
    ['API', undefined],
    ['api,read_user', undefined],
    ['api\tread_user', undefined],
  ])('reads %j', (text, scopes) => {
    expect(readScopes(text)).toEqual(scopes)
  })
})

describe('allowedScopes', () => {
  it('are those that are registered, or all but sudo', () => {
    expect(allowedScopes(['sudo', 'api'])).toEqual(['sudo', 'api'])
    expect(allowedScopes([])).toEqual(oauthScopes.filter((scope) => scope !== 'sudo'))
  })
})

describe('requestedScopes', () => {
  it.each([
    ['', ['api', 'sudo'], ['api']],
    ['', ['read_user', 'sudo', 'email'], ['read_user', 'email']],
    ['', ['sudo'], undefined],
    ['sudo', ['sudo'], ['sudo']],
    ['email', ['api', 'email'], ['email']],
    ['read_user', ['api'], undefined],
    ['root', ['api'], undefined],
  ] as const)('takes %j of %j', (text, allowed, scopes) => {
    expect(requestedScopes(text, allowed)).toEqual(scopes)
  })
})
