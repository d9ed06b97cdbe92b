import { describe, expect, it } from 'vitest'
import { baseName, normalizePath } from './tree-path.rules.ts'

describe('normalizePath', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['.', ''],
    ['/a//b/', 'a/b'],
    ['./a/./b', 'a/b'],
    ['a..b', 'a..b'],
  ])('normalizes %j to %j', (path, expected) => {
    expect(normalizePath(path)).toBe(expected)
  })

  it.each(['..', 'a/../b', '../a', 'a/..'])('rejects %j', (path) => {
    expect(normalizePath(path)).toBeUndefined()
  })
})

describe('baseName', () => {
  it('returns the last segment', () => {
    expect(baseName('a/b/c.txt')).toBe('c.txt')
    expect(baseName('c.txt')).toBe('c.txt')
  })
})
