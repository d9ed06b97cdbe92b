import { describe, expect, it } from 'vitest'
import { languageOf, languageShares, languageSizes } from './language.rules.ts'

describe('languageOf', () => {
  it.each([
    ['src/main.ts', 'TypeScript'],
    ['a/B.JAVA', 'Java'],
    ['lib/x.rb', 'Ruby'],
    ['Makefile', 'Makefile'],
    ['deep/Dockerfile', 'Dockerfile'],
    ['x.c', 'C'],
  ])('%s is %s', (path, language) => {
    expect(languageOf(path)).toBe(language)
  })

  it.each([
    'README.md',
    'data.json',
    '.gitignore',
    'node_modules/x/index.js',
    'a.min.js',
    'LICENSE',
  ])('%s counts for none', (path) => {
    expect(languageOf(path)).toBeUndefined()
  })
})

describe('languageSizes', () => {
  it('adds up the bytes of each language', () => {
    const files = [
      { path: 'a.ts', size: 10 },
      { path: 'b.ts', size: 5 },
      { path: 'c.py', size: 7 },
      { path: 'd.md', size: 100 },
      { path: 'empty.go', size: 0 },
    ]
    expect([...languageSizes(files)]).toEqual([
      ['TypeScript', 15],
      ['Python', 7],
    ])
  })
})

describe('languageShares', () => {
  it('rounds to two decimals, the largest first, then by name', () => {
    const shares = languageShares(
      new Map([
        ['Ruby', 1],
        ['Go', 1],
        ['C', 4],
      ]),
    )
    expect(Object.entries(shares)).toEqual([
      ['C', 66.67],
      ['Go', 16.67],
      ['Ruby', 16.67],
    ])
    expect(languageShares(new Map())).toEqual({})
  })
})
