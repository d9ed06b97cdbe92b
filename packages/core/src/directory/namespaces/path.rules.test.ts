import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  collectErrors,
  isReservedPath,
  nameErrors,
  pathErrors,
  pathFromName,
} from './path.rules.ts'

describe('pathErrors', () => {
  it.each(['a', 'A-b_c.d', '1', '_x', '.x', 'a'.repeat(255), 'git', 'x.gitx', 'atom'])(
    'accepts %s',
    (path) => {
      expect(pathErrors(path, 'top')).toEqual([])
    },
  )

  it.each(['-a', 'a.', 'a.git', 'a.GIT', 'a.atom', 'a/b', 'a b', 'ä', 'a\n', '..', 'a%2Fb'])(
    'rejects %j',
    (path) => {
      expect(pathErrors(path, 'below')).toEqual([expect.stringContaining('can contain only')])
    },
  )

  it('rejects blank and overlong paths', () => {
    expect(pathErrors('', 'top')).toEqual(["can't be blank"])
    expect(pathErrors('a'.repeat(256), 'top')).toEqual(['is too long (maximum is 255 characters)'])
  })

  it('reserves the words of its own paths, in any case', () => {
    expect(pathErrors('API', 'top')).toEqual(['API is a reserved name'])
    expect(pathErrors('tree', 'below')).toEqual(['tree is a reserved name'])
    expect(isReservedPath('api', 'below')).toBe(false)
    expect(isReservedPath('tree', 'top')).toBe(false)
  })
})

describe('nameErrors', () => {
  it.each(['a', 'My project (2)', 'Größe', '日本語', '🚀 rocket', '👨‍👩‍👧 family', '_x', 'C++'])(
    'accepts %s',
    (name) => {
      expect(nameErrors(name)).toEqual([])
    },
  )

  it.each(['<b>', '-a', ' a', 'a/b', 'a\nb', '(a)', 'a;b'])('rejects %j', (name) => {
    expect(nameErrors(name)).toEqual([expect.stringContaining('can contain only')])
  })

  it('rejects blank and overlong names', () => {
    expect(nameErrors('  ')).toEqual(["can't be blank"])
    expect(nameErrors('a'.repeat(256))).toEqual(['is too long (maximum is 255 characters)'])
  })
})

describe('pathFromName', () => {
  it('takes a long run of suffixes, and reads 255 characters only', () => {
    expect(pathFromName(`a${'.git'.repeat(40_000)}`)).toMatch(/^a/)
    expect(pathFromName('-'.repeat(40_000))).toBe('')
  })

  it.each([
    ['My Café Group', 'my-cafe-group'],
    ['  --x--  ', 'x'],
    ['a.git', 'a'],
    ['日本', ''],
    ['C++ & C#', 'c-c'],
  ])('turns %s into %s', (name, path) => {
    expect(pathFromName(name)).toBe(path)
  })

  it('returns a valid path, or an empty one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
        const path = pathFromName(name)
        const errors = path === '' ? [] : pathErrors(path, 'below')
        return errors.every((text) => text.endsWith('is a reserved name'))
      }),
    )
  })
})

describe('collectErrors', () => {
  it('drops fields without errors', () => {
    expect(collectErrors({ a: [], b: ['x'] })).toEqual({ b: ['x'] })
    expect(collectErrors({ a: [] })).toBeUndefined()
  })
})
