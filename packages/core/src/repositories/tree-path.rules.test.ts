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
  ])('reads %j as %j', (path, expected) => {
    expect(normalizePath(path)).toBe(expected)
  })

  it.each(['..', 'a/../b', '../a', 'a/..'])('refuses %j', (path) => {
    expect(normalizePath(path)).toBeUndefined()
  })
})

describe('baseName', () => {
  it('is the last step', () => {
    expect(baseName('a/b/c.txt')).toBe('c.txt')
    expect(baseName('c.txt')).toBe('c.txt')
  })
})
