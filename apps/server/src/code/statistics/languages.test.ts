import * as linguist from 'linguist-languages'
import { describe, expect, it } from 'vitest'
import { countLanguage, languageOf } from './languages.ts'

describe('languageOf', () => {
  it.each([
    ['src/main.ts', 'TypeScript'],
    ['a/B.JAVA', 'Java'],
    ['lib/x.rb', 'Ruby'],
    ['Makefile', 'Makefile'],
    ['deep/Dockerfile', 'Dockerfile'],
    ['x.c', 'C'],
    ['x.h', 'C'],
    ['x.tsx', 'TypeScript'],
    ['x.html.erb', 'HTML'],
    ['x.h.in', 'C'],
    ['x.f90', 'Fortran'],
    ['scripts/x.fish', 'Shell'],
    ['player.gd', 'GDScript'],
    ['BUILD', 'Starlark'],
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
    'x.inc',
    'schema.sql',
    '.ts',
    'a.constructor',
    'toString',
  ])('%s counts for none', (path) => {
    expect(languageOf(path)).toBeUndefined()
  })

  it('counts an ambiguous extension for one of its languages, if for any', () => {
    const names = new Map<string, (string | undefined)[]>()
    for (const { name, group = name, extensions = [] } of Object.values<linguist.Language>(
      linguist,
    )) {
      for (const extension of extensions.map((one) => one.toLowerCase())) {
        names.set(extension, [...(names.get(extension) ?? [undefined]), group])
      }
    }
    expect(names.size).toBeGreaterThan(1000)
    for (const [extension, known] of names) expect(known).toContain(languageOf(`x${extension}`))
  })
})

describe('countLanguage', () => {
  it('adds the bytes of each language', () => {
    const files = [
      { path: 'a.ts', size: 10 },
      { path: 'b.ts', size: 5 },
      { path: 'c.py', size: 7 },
      { path: 'd.md', size: 100 },
      { path: 'empty.go', size: 0 },
    ]
    const sizes = new Map<string, number>()
    for (const file of files) countLanguage(sizes, file)
    expect([...sizes]).toEqual([
      ['TypeScript', 15],
      ['Python', 7],
    ])
  })
})
