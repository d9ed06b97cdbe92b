import type { DiffEntry } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import { html } from '../../platform/html/html.ts'
import { diffFileList, diffFiles } from './diff-files.ts'
import { pairLines } from './diff-lines.ts'
import { countChanges, parseHunks } from './hunks.ts'

const header = '--- a/x.ts\n+++ b/x.ts\n'
const diff = `${header}@@ -10,4 +10,5 @@ function f() {
 same
-const a = 1
+const a = 2
+const b = '<b>'
 end
\\ No newline at end of file
`

const entry: DiffEntry = {
  diff,
  new_path: 'x.ts',
  old_path: 'x.ts',
  a_mode: '100644',
  b_mode: '100644',
  new_file: false,
  renamed_file: false,
  deleted_file: false,
  too_large: false,
  collapsed: false,
}

describe('parseHunks', () => {
  it('numbers the lines of both sides', () => {
    const [hunk] = parseHunks(diff)
    expect(hunk).toMatchObject({ range: '@@ -10,4 +10,5 @@', section: 'function f() {' })
    expect(
      hunk?.lines.map(({ kind, oldLine, newLine, position }) => [
        kind,
        oldLine,
        newLine,
        `${position.old}_${position.new}`,
      ]),
    ).toEqual([
      ['context', 10, 10, '10_10'],
      ['removed', 11, null, '11_11'],
      ['added', null, 11, '12_11'],
      ['added', null, 12, '12_12'],
      ['context', 12, 13, '12_13'],
    ])
    expect(hunk?.lines.at(-1)?.isUnterminated).toBe(true)
  })

  it('marks what differs in lines that were replaced by as many', () => {
    const changed = (before: string, after: string) =>
      parseHunks(`@@ -1 +1 @@\n-${before}\n+${after}\n`)[0]?.lines.map((line) => line.changed)
    expect(changed('let a = 1;', 'let a = 22;')).toEqual([
      [8, 9],
      [8, 10],
    ])
    expect(changed('apples', 'oranges and more')).toEqual([undefined, undefined])
    expect(changed('  abc', '  xyz')).toEqual([undefined, undefined])
    // Halves of an emoji are not told apart.
    expect(changed('ab \u{1f600} cd', 'ab \u{1f601} cd')).toEqual([
      [3, 5],
      [3, 5],
    ])
    expect(parseHunks(diff)[0]?.lines.some(({ changed }) => changed)).toBe(false)
  })

  it('reads nothing from what is no diff', () => {
    expect(parseHunks('')).toEqual([])
    expect(parseHunks('Binary files a/x and b/x differ\n')).toEqual([])
  })
})

describe('countChanges', () => {
  it('counts lines, and not the names of the files', () => {
    expect(countChanges(diff)).toEqual({ added: 2, removed: 1 })
    expect(countChanges('')).toEqual({ added: 0, removed: 0 })
    expect(countChanges('@@ -1 +1 @@\n--- x\n+++ y\n')).toEqual({ added: 1, removed: 1 })
  })
})

describe('pairLines', () => {
  it('puts lines beside those that replace them', () => {
    const lines = parseHunks('@@ -1,3 +1,3 @@\n-a\n-b\n+c\n d\n+e\n')[0]?.lines ?? []
    const texts = pairLines(lines).map((pair) => pair.map((line) => line?.text))
    expect(texts).toEqual([
      ['a', 'c'],
      ['b', undefined],
      ['d', 'd'],
      [undefined, 'e'],
    ])
  })
})

describe('diffFiles', () => {
  const show = (view: Partial<Parameters<typeof diffFiles>[0]> = {}) =>
    diffFiles({ entries: [entry], layout: 'inline', ...view }).text

  it('escapes lines, addresses them as v4 servers do, and says what happened to them', () => {
    const text = show()
    expect(text).toContain('const b = &#39;&lt;b&gt;&#39;')
    expect(text).toMatch(/id="[0-9a-f]{40}_12_12"/)
    expect(text).toContain('aria-label="Line 11 removed"')
    expect(text).toContain('2 lines added, 1 removed')
  })

  it.each(['inline', 'parallel'] as const)('gives each line once to the slots, %s', (layout) => {
    const seen: string[] = []
    const text = show({
      layout,
      slots: {
        below: ({ kind, oldLine, newLine }) => {
          seen.push(`${kind} ${oldLine} ${newLine}`)
          return kind === 'removed' ? html`<p>why?</p>` : undefined
        },
        action: ({ code }) => html`<a href="?comment=${code}">Comment</a>`,
      },
    })
    expect(seen.toSorted()).toEqual([
      'added null 11',
      'added null 12',
      'context 10 10',
      'context 12 13',
      'removed 11 null',
    ])
    expect(text.match(/why\?/g)).toHaveLength(1)
    expect(text.match(/>Comment</g)).toHaveLength(5)
    expect(new Set(text.match(/ id="[^"]*_\d+_\d+"/g)).size).toBe(5)
  })

  it('folds files that are long, collapsed or too large', () => {
    const long = `${header}@@ -1,0 +1,700 @@\n${'+x\n'.repeat(700)}`
    const fileAddress = (_: DiffEntry, index: number) => `?file=${index}`
    const folded = show({ entries: [{ ...entry, diff: long }], fileAddress })
    expect(folded).toContain('href="?file=0"')
    expect(folded).not.toContain('<table')
    expect(show({ entries: [{ ...entry, diff: long }], isAlone: true })).toContain('<table')
    const collapsed = { ...entry, diff: '', collapsed: true }
    expect(show({ entries: [collapsed], fileAddress })).toContain('href="?file=0"')
    expect(show({ entries: [{ ...entry, diff: '', too_large: true }] })).toContain('too large')
  })

  it('says what a change without lines is', () => {
    const of = (change: Partial<DiffEntry>) =>
      show({ entries: [{ ...entry, diff: '', ...change }] })
    expect(of({ diff: 'Binary files a/x and b/x differ\n' })).toContain('A binary file.')
    expect(of({ b_mode: '100755' })).toContain('100644 → 100755')
    expect(of({ renamed_file: true, old_path: 'y.ts' })).toContain('Moved without changes.')
    expect(of({ new_file: true })).toContain('An empty file.')
  })

  it('cuts a line of a mebibyte', () => {
    const text = show({
      entries: [{ ...entry, diff: `@@ -0,0 +1 @@\n+${'é'.repeat(1024 * 1024)}\n` }],
    })
    expect(text.length).toBeLessThan(5000)
    expect(text).toContain('1,048,576 characters')
  })
})

describe('diffFileList', () => {
  it('links to the files, with what was counted', () => {
    const { text } = diffFileList([entry])
    expect(text).toContain('x.ts</a>')
    expect(text).toContain('+2')
  })
})
