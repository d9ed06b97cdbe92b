import { DomainError } from '@stithy/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery } from './nested-params.ts'

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

describe('parseQuery', () => {
  it.each([
    ['a=1&b=two%20words&c=x+y', { a: '1', b: 'two words', c: 'x y' }],
    ['iids[]=1&iids[]=2', { iids: ['1', '2'] }],
    ['iids%5B%5D=1', { iids: ['1'] }],
    ['custom[key]=v&custom[other]=w', { custom: { key: 'v', other: 'w' } }],
    ['flag&empty=', { flag: '', empty: '' }],
    ['a=1&a=2', { a: '2' }],
    [
      'actions[][action]=create&actions[][file_path]=a&actions[][action]=delete&actions[][file_path]=b',
      {
        actions: [
          { action: 'create', file_path: 'a' },
          { action: 'delete', file_path: 'b' },
        ],
      },
    ],
    ['l[][url]=1&l[][tags][]=x&l[][tags][]=y', { l: [{ url: '1', tags: ['x', 'y'] }] }],
    ['deep[a][b][]=1', { deep: { a: { b: ['1'] } } }],
  ])('parses %s', (text, expected) => {
    expect(plain(parseQuery(text))).toEqual(expected)
  })

  it.each([
    '__proto__[x]=1',
    'a[__proto__]=1',
    'a[constructor][prototype]=1',
    'a=1&a[b]=2',
    'a[]=1&a[b]=2',
    'a[b=1',
    '[]=1',
    'a=%E0%A4%A',
    'a[1][2][3][4][5][6][7][8]=x',
  ])('rejects %s', (text) => {
    expect(() => parseQuery(text)).toThrow(DomainError)
    expect(Object.prototype).not.toHaveProperty('x')
  })

  it.each([
    ['+', { name: ' '.repeat(7_999_995) }],
    ['+ö', undefined],
    ['&', { name: '' }],
  ])('reads 8 MB of %s at once', (unit, expected) => {
    const text = `name=${unit.repeat(8_000_000)}`.slice(0, 8_000_000)
    const params = parseQuery(text)
    if (expected !== undefined) expect({ ...params }).toEqual(expected)
    else expect(params.name).toBe(text.slice('name='.length).replace(/\+/g, ' '))
  })

  it('decodes any encoded flat map', () => {
    const names = fc
      .stringMatching(/^[a-z_]{1,12}$/)
      .filter((name) => !['__proto__', 'constructor', 'prototype'].includes(name))
    fc.assert(
      fc.property(fc.dictionary(names, fc.string({ unit: 'grapheme' })), (map) => {
        const text = Object.entries(map)
          .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
          .join('&')
        expect(plain(parseQuery(text))).toEqual(map)
      }),
    )
  })

  it('throws nothing but DomainError', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseQuery(text)
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError)
        }
      }),
    )
  })
})
