import { describe, expect, it } from 'vitest'
import { chooseColumns, displayWidth, fitWidths, renderTable } from './table.ts'

describe('chooseColumns', () => {
  it('puts well-known names first and leaves the rest out where they suffice', () => {
    const project = {
      description: 'x',
      id: 1,
      web_url: 'u',
      path: 'p',
      name: 'n',
      path_with_namespace: 'a/p',
      visibility: 'private',
      created_at: 't',
    }
    expect(chooseColumns([project])).toEqual([
      'id',
      'path_with_namespace',
      'visibility',
      'created_at',
    ])
  })

  it('fills up with other columns, but not with what has no word to show', () => {
    expect(chooseColumns([{ b: 1, a: null, url: 'x', list: [], map: {}, c: 2 }])).toEqual([
      'b',
      'c',
    ])
  })

  it('never comes out empty', () => {
    expect(chooseColumns([{ a: null }])).toEqual(['a'])
  })
})

describe('fitWidths', () => {
  it('narrows the widest first, then drops the last', () => {
    expect(fitWidths([5, 40, 20], 50)).toEqual([5, 21, 20])
    expect(fitWidths([5, 40, 20], 25)).toEqual([5, 8, 8])
    expect(fitWidths([5, 40, 20], 20)).toEqual([5, 8])
    expect(fitWidths([40], 3)).toEqual([8])
  })
})

describe('renderTable', () => {
  it('counts wide characters twice and marks without width not at all', async () => {
    expect(displayWidth('日本e\u0301')).toBe(5)
    const text = await renderTable([{ id: 1, name: '日本語日本語日本語', state: 'x' }], 20)
    expect(
      text
        .split('\n')
        .map(displayWidth)
        .every((width) => width <= 20),
    ).toBe(true)
    expect(text).toContain('…')
  })
})
