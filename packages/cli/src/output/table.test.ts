import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { chooseColumns, fitColumns } from './columns.ts'
import { renderTable } from './table.ts'

describe('chooseColumns', () => {
  it('puts well-known names first and omits others if those suffice', () => {
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

  it('adds other columns, but not those without text', () => {
    expect(chooseColumns([{ b: 1, a: null, url: 'x', list: [], map: {}, c: 2 }])).toEqual([
      'b',
      'c',
    ])
  })

  it('is never empty', () => {
    expect(chooseColumns([{ a: null }])).toEqual(['a'])
  })
})

describe('fitColumns', () => {
  const columns = [
    { name: 'id', width: 4 },
    { name: 'title', width: 60 },
    { name: 'state', width: 6 },
    { name: 'author', width: 10 },
  ]

  function fit(width: number) {
    return fitColumns(columns, width).map((column) => `${column.name} ${column.width}`)
  }

  it('shows all columns that fit', () => {
    expect(fit(Number.POSITIVE_INFINITY)).toEqual(['id 4', 'title 60', 'state 6', 'author 10'])
    expect(fit(86)).toEqual(['id 4', 'title 60', 'state 6', 'author 10'])
  })

  it('cuts only prose, and to no less than a third', () => {
    expect(fit(85)).toEqual(['id 4', 'title 59', 'state 6', 'author 10'])
    expect(fit(39)).toEqual(['id 4', 'title 13', 'state 6', 'author 10'])
  })

  it('ends with the last column that fits completely', () => {
    expect(fit(37)).toEqual(['id 4', 'title 23', 'state 6'])
    expect(fit(25)).toEqual(['id 4', 'title 19'])
    expect(fit(17)).toEqual(['id 4'])
  })

  it('never cuts identifiers, even if they are too wide', () => {
    const paths = [
      { name: 'id', width: 4 },
      { name: 'path_with_namespace', width: 60 },
      { name: 'visibility', width: 7 },
    ]
    expect(fitColumns(paths, 40)).toEqual(paths.slice(0, 2))
    const branches = [
      { name: 'name', width: 60 },
      { name: 'protected', width: 5 },
    ]
    expect(fitColumns(branches, 40)).toEqual(branches.slice(0, 1))
  })
})

describe('renderTable', () => {
  it('has the displayed width, with wide and combining characters', async () => {
    const names = ['日本語日本語日本語', 'e\u0301'.repeat(30), '👨‍👩‍👧'.repeat(12), '🇩🇪'.repeat(12)]
    const rows = names.map((name, index) => ({ id: index, name, state: 'x' }))
    const lines = (await renderTable(rows, { width: 24 })).split('\n')
    expect(lines.map((line) => stringWidth(line)).every((width) => width <= 24)).toBe(true)
    expect(lines[1]).toBe('0   日本語日本語…  x')
    expect(lines[2]).toBe(`1   ${'e\u0301'.repeat(12)}…  x`)
    expect(lines[3]).toBe(`2   ${'👨‍👩‍👧'.repeat(6)}…  x`)
  })

  it('shows times in words on a terminal, and exact ones elsewhere', async () => {
    const now = Date.parse('2026-03-01T12:00:00Z')
    const rows = [{ id: 1, created_at: '2026-03-01T09:00:00.000Z' }]
    expect(await renderTable(rows, { width: 80, now })).toBe('id  created_at\n1   3 hours ago')
    expect(await renderTable(rows, { width: 80 })).toContain('2026-03-01T09:00:00.000Z')
  })
})
