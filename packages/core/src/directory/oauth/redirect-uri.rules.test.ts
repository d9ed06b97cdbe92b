import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isRedirectUri,
  redirectUriError,
  splitRedirectUris,
  withParameters,
} from './redirect-uri.rules.ts'

describe('redirectUriError', () => {
  it.each([
    'https://app.test/callback',
    'https://app.test',
    'http://app.test:8080/a?b=c&d=%20',
    'http://localhost/cb',
    'http://127.0.0.1:3000/cb',
    'http://[::1]/cb',
    'com.example.app:/oauth',
    'vscode://publisher.extension/callback',
  ])('accepts %s', (uri) => {
    expect(redirectUriError(uri)).toBeUndefined()
  })

  it('accepts nothing that runs scripts, or that parsers read in different ways', () => {
    const piece = fc.constantFrom(
      ...['https:', 'javascript:', 'data:', '//', '/', '\\', '@', ':', '?', '#', 'a.test', '%2f'],
      ...['\t', '\n', ' ', '.', '[::1]', ';', "'", '"', '<', 'ä'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const uri = pieces.join('')
        if (redirectUriError(uri) !== undefined) return
        const url = new URL(uri)
        expect(['javascript:', 'data:']).not.toContain(url.protocol)
        expect([url.hash, uri.includes('#')]).toEqual(['', false])
        if (url.protocol !== 'https:') return
        expect([url.username, url.password]).toEqual(['', ''])
        expect(uri.startsWith(`https://${url.host}`)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('splitRedirectUris', () => {
  it('takes one in each line, and each once', () => {
    expect(splitRedirectUris(' a:b \r\n\nc:d\na:b\n')).toEqual(['a:b', 'c:d'])
    expect(splitRedirectUris('a:b c:d')).toEqual(['a:b c:d'])
  })
})

describe('isRedirectUri', () => {
  it('accepts the same text alone', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.webUrl(), (one, other) => {
        expect(isRedirectUri(one, one)).toBe(true)
        expect(isRedirectUri(one, other)).toBe(one === other)
      }),
    )
  })

  it('accepts any port of a loopback address', () => {
    const port = fc.integer({ min: 1, max: 65_535 })
    const host = fc.constantFrom('http://127.0.0.1', 'http://[::1]')
    fc.assert(
      fc.property(host, host, port, port, (one, other, first, second) => {
        expect(isRedirectUri(`${one}:${first}/cb`, `${other}:${second}/cb`)).toBe(one === other)
        expect(isRedirectUri(`${one}:${first}/cb`, `${one}/cb`)).toBe(true)
        expect(isRedirectUri(`${one}:${first}`, one)).toBe(true)
        expect(isRedirectUri(`${one}:${first}/cb`, `${one}/`)).toBe(false)
      }),
    )
  })
})

describe('withParameters', () => {
  it.each([
    ['https://a.test/', 'query', 'https://a.test/?a=x+y%26'],
    ['https://a.test/?b=1', 'query', 'https://a.test/?b=1&a=x+y%26'],
    ['https://a.test/?', 'query', 'https://a.test/?a=x+y%26'],
    ['app:/cb', 'query', 'app:/cb?a=x+y%26'],
    ['https://a.test/?b=1', 'fragment', 'https://a.test/?b=1#a=x+y%26'],
  ] as const)('adds them to %s in the %s', (uri, part, expected) => {
    expect(withParameters(uri, { a: 'x y&', c: undefined }, part)).toBe(expected)
  })
})
