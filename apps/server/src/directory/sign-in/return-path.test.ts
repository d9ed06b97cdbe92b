import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { returnPath, withReturn } from './return-path.ts'

describe('returnPath', () => {
  it.each(['/', '/-/profile/personal_access_tokens', '/a/b?c=d&e=%2F', '/ü%20'])(
    'accepts %s',
    (path) => {
      expect(returnPath(path)).toBe(path === '/ü%20' ? '/%C3%BC%20' : path)
    },
  )

  it.each([
    '//evil.test',
    'https://evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    '/.//evil.test',
    '/x/..//evil.test',
    '///evil.test',
    'javascript:alert(1)',
    'evil.test',
    '/users/sign_out',
    '/users/sign_in?return_to=/x',
    `/${'x'.repeat(9000)}`,
    '',
    undefined,
    ['/x'],
  ])('returns the start page instead of %j', (target) => {
    expect(returnPath(target)).toBe('/')
  })

  it('never leads to another server', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '\t',
      '\n',
      '@',
      ':',
      '?',
      '#',
      'evil',
      '%2f',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = returnPath(`/${pieces.join('')}`)
        expect(path).toMatch(/^\/(?![/\\])/)
        expect(new URL(path, 'https://own.test/a/b').origin).toBe('https://own.test')
      }),
    )
  })
})

describe('withReturn', () => {
  it('adds the requested path, unless that is the start page', () => {
    expect(withReturn('/in', '/')).toBe('/in')
    expect(withReturn('/in', '/a?b=c&d')).toBe('/in?return_to=%2Fa%3Fb%3Dc%26d')
    expect(withReturn('/in', '//evil.test')).toBe('/in')
  })
})
