import { describe, expect, it } from 'vitest'
import { duplicateErrors, isExternal, releaseLinkErrors } from './release-link.rules.ts'

describe('releaseLinkErrors', () => {
  it.each([
    'http://example.com',
    'https://example.com/a?b=c#d',
    'HTTPS://example.com:8443/%20',
    'ftp://example.com/file.zip',
    'https://exämple.com/ü',
    'http://[::1]/x',
    `https://example.com/${'x'.repeat(2028)}`,
  ])('accepts %s', (url) => {
    expect(releaseLinkErrors({ name: 'a', url })).toBeUndefined()
  })

  it.each([
    ['javascript:alert(1)', 'is blocked'],
    ['javascript://example.com/%0aalert(1)', 'is blocked'],
    ['data:text/html,x', 'is blocked'],
    ['file:///etc/passwd', 'is blocked'],
    ['ssh://example.com/x', 'is blocked'],
    ['mailto:a@b.c', 'is blocked'],
    ['//example.com', 'must be a valid URL'],
    ['/a/b', 'must be a valid URL'],
    ['example.com', 'must be a valid URL'],
    ['http:example.com', 'must be a valid URL'],
    ['http:///example.com', 'must be a valid URL'],
    ['http://', 'must be a valid URL'],
    ['http://a b', 'must be a valid URL'],
    ['http://example.com/a\nb', 'must be a valid URL'],
    ['http://example.com\\@evil.example', 'must be a valid URL'],
    [' http://example.com', 'must be a valid URL'],
    ['java\nscript:alert(1)', 'is blocked'],
    ['https://user:secret@example.com', 'must not contain'],
    ['https://user@example.com', 'must not contain'],
    [`https://example.com/${'x'.repeat(10_000)}`, 'is too long'],
    [`https://example.com/${'ü'.repeat(1015)}`, 'is too long'],
  ])('rejects %j', (url, reason) => {
    expect(releaseLinkErrors({ url })).toEqual({ url: [expect.stringContaining(reason)] })
  })

  it('limits the length of names, and validates only given fields', () => {
    expect(releaseLinkErrors({ name: 'x'.repeat(255) })).toBeUndefined()
    expect(releaseLinkErrors({ name: 'x'.repeat(256) })).toEqual({
      name: ['is too long (maximum is 255 characters)'],
    })
    expect(releaseLinkErrors({ name: ' \t' })).toEqual({ name: ["can't be blank"] })
    expect(releaseLinkErrors({})).toBeUndefined()
  })
})

describe('duplicateErrors', () => {
  it('returns the fields that contain duplicates', () => {
    const links = [
      { name: 'a', url: 'http://x/1' },
      { name: 'b', url: 'http://x/2' },
    ]
    expect(duplicateErrors(links)).toBeUndefined()
    expect(duplicateErrors([...links, { name: 'a', url: 'http://x/3' }])).toEqual({
      name: ['has already been taken'],
    })
    expect(duplicateErrors([...links, { name: 'c', url: 'http://x/1' }])).toEqual({
      url: ['has already been taken'],
    })
  })
})

describe('isExternal', () => {
  it('is true for URLs outside of the project', () => {
    const project = 'https://code.example/a/b'
    for (const inside of ['', '/', '/-/archive/v1.zip', '?x', '#y']) {
      expect(isExternal(project + inside, project)).toBe(false)
    }
    for (const outside of ['c', '-evil/x', '.git']) {
      expect(isExternal(project + outside, project)).toBe(true)
    }
    expect(isExternal('https://other.example/a/b', project)).toBe(true)
  })
})
