import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBranchOrTagName, parseRef } from './ref-name.rules.ts'

describe('parseRef', () => {
  it('parses branches and tags', () => {
    expect(parseRef('refs/heads/topic/x')).toEqual({ type: 'branch', name: 'topic/x' })
    expect(parseRef('refs/tags/v1')).toEqual({ type: 'tag', name: 'v1' })
  })

  it.each(['refs/heads/', 'refs/notes/x', 'HEAD', '', 'refs/headsx/y'])('rejects %j', (ref) => {
    expect(parseRef(ref)).toBeUndefined()
  })
})

describe('isBranchOrTagName', () => {
  it.each(['master', 'feature/a.b', 'v1.0', 'ünïcode', 'a-b_c+d', '#1', 'x@y'])(
    'accepts %j',
    (name) => {
      expect(isBranchOrTagName(name)).toBe(true)
    },
  )

  it.each([
    '',
    '-x',
    'a..b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    'a\0b',
    'a\x7f',
    'a@{1}',
    'a/',
    '/a',
    'a.',
    'a.lock',
    'a.lock/b',
    '.a',
    'a/.b',
    'a//b',
    'HEAD',
    '@',
    'refs/heads/a',
    'refs/remotes/a',
    'x'.repeat(5000),
    '\ud800',
  ])('rejects %j', (name) => {
    expect(isBranchOrTagName(name)).toBe(false)
  })

  it('rejects names that git would parse as an option, a range or a path', () => {
    const unit = fc.constantFrom('a', '/', '.', '-', '~', '\0', '@', '{', ' ', 'é', '.lock')
    fc.assert(
      fc.property(fc.string({ unit }), (name) => {
        if (!isBranchOrTagName(name)) return
        expect(name.startsWith('-') || name.includes('..') || name.includes('\0')).toBe(false)
      }),
    )
  })
})
