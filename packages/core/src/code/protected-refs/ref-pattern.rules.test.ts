import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { patternMatcher } from '../../platform/text/wildcard.rules.ts'
import { processorMilliseconds } from '../../testing/processor-time.ts'
import { isRefPattern } from './ref-pattern.rules.ts'

/** Reference implementation: tries every expansion of the first wildcard. */
function matchesNaively(pattern: string, name: string): boolean {
  if (pattern === '') return name === ''
  if (!pattern.startsWith('*')) {
    return name.startsWith(pattern.slice(0, 1)) && matchesNaively(pattern.slice(1), name.slice(1))
  }
  for (let at = 0; at <= name.length; at += 1) {
    if (matchesNaively(pattern.slice(1), name.slice(at))) return true
  }
  return false
}

const letters = (...choices: string[]) =>
  fc.array(fc.constantFrom(...choices), { maxLength: 8 }).map((parts) => parts.join(''))

describe('patternMatcher', () => {
  it('agrees with the reference implementation', () => {
    let hits = 0
    fc.assert(
      fc.property(letters('a', 'b', '/', '*'), letters('a', 'b', '/', '*'), (pattern, name) => {
        const expected = matchesNaively(pattern, name)
        if (expected) hits += 1
        expect(patternMatcher(pattern)(name)).toBe(expected)
      }),
      { numRuns: 1000 },
    )
    expect(hits).toBeGreaterThan(30)
  })

  it('matches every expansion of the wildcards', () => {
    const text = letters('x', '-', '/', '.', 'é')
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 4 }), text, (pieces, filling) => {
        expect(patternMatcher(pieces.join('*'))(pieces.join(filling))).toBe(true)
      }),
    )
  })

  it.each([
    ['*-stable', '2-0-stable', true],
    ['*-stable', '2-0-stable-x', false],
    ['release/*', 'release/1/x', true],
    ['release/*', 'release/', true],
    ['release/*', 'Release/1', false],
    ['*', 'anything/at/all', true],
    ['a*a', 'a', false],
    ['a.c', 'abc', false],
    ['main', 'main', true],
    ['main', 'main2', false],
  ])('%s, %s: %s', (pattern, name, expected) => {
    expect(patternMatcher(pattern)(name)).toBe(expected)
  })

  it('is not slower for pathological patterns', () => {
    const matches = patternMatcher(`${'*a'.repeat(500)}*b`)
    const match = () => expect(matches('a'.repeat(1000))).toBe(false)
    expect(processorMilliseconds(match)).toBeLessThan(1000)
  })
})

describe('isRefPattern', () => {
  it.each(['main', '*', '*-stable', 'release-*', 'release/*/x', '*/x', 'v1.*', 'é*'])(
    'accepts %s',
    (text) => {
      expect(isRefPattern(text)).toBe(true)
    },
  )

  it.each([
    '',
    '-*',
    '-x',
    'a b',
    'a..b',
    '*.lock',
    'HEAD',
    'refs/heads/*',
    'refs/heads/x',
    'a?',
    'a[b]',
    '/*',
    '\0',
  ])('rejects %j', (text) => {
    expect(isRefPattern(text)).toBe(false)
  })
})
