import { describe, expect, it } from 'vitest'
import { address, groupAddress, localPath, projectAddress, withQuery } from './addresses.ts'
import { formatSize, plural } from './numbers.ts'
import { relativeTime, timeAgo } from './time.ts'

describe('addresses', () => {
  it('encode every segment, and keep slashes', () => {
    expect(projectAddress('a/b c', 'blob', 'x/y', 'ä?#.md')).toBe(
      '/a/b%20c/-/blob/x/y/%C3%A4%3F%23.md',
    )
    expect(projectAddress('a/b')).toBe('/a/b')
    expect(groupAddress('a/b', 'epics', 1)).toBe('/groups/a/b/-/epics/1')
    expect(address('snippets', 7)).toBe('/snippets/7')
  })

  it('drop the origin that the API gives', () => {
    expect(localPath('https://code.example.org/a/b?x=1#y')).toBe('/a/b?x=1#y')
    expect(localPath('https://code.example.org/a/b#note_12')).toBe('/a/b?note_id=12#note_12')
  })

  it('replace values of a query, and drop empty ones', () => {
    const kept = new URLSearchParams('state=opened&page=3')
    expect(withQuery('/a', { page: undefined, sort: 'asc' }, kept)).toBe('/a?state=opened&sort=asc')
    expect(withQuery('/a', { state: '' })).toBe('/a')
  })
})

describe('times', () => {
  const now = Date.parse('2026-11-25T12:00:00Z')

  it.each([
    [-20_000, 'just now'],
    [-90_000, '1 minute ago'],
    [-7_200_000, '2 hours ago'],
    [-86_400_000, 'yesterday'],
    [3 * 86_400_000, 'in 3 days'],
    [-400 * 86_400_000, 'last year'],
  ])('%i ms from now is %s', (difference, text) => {
    expect(relativeTime(now + difference, now)).toBe(text)
  })

  it('have the exact one on hover', () => {
    expect(timeAgo('2026-11-25T11:00:00.000Z', now).text).toBe(
      '<time datetime="2026-11-25T11:00:00.000Z" title="2026-11-25 11:00:00 UTC">1 hour ago</time>',
    )
  })
})

describe('numbers', () => {
  it.each([
    [1, '1 byte'],
    [1023, '1,023 bytes'],
    [1536, '1.5 KiB'],
    [5 * 1024 ** 4, '5 TiB'],
    [1024 ** 5, '1,024 TiB'],
  ])('%i bytes are %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text)
  })

  it('agree with their nouns', () => {
    expect(plural(1, 'branch', 'branches')).toBe('1 branch')
    expect(plural(1234, 'commit')).toBe('1,234 commits')
  })
})
