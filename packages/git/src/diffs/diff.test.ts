import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { type DiffOptions, diffCommit, diffRange } from './diff.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  work = await buildWork(fixture)
})

const diff = (oid: string, options?: DiffOptions) =>
  diffCommit(fixture.git, work.repository, oid, options)
const lines = (count: number, text = 'line') =>
  Array.from({ length: count }, (_, index) => `${text} ${index}\n`).join('')

describe('diffCommit', () => {
  it('compares a root commit with the empty tree', async () => {
    const { entries, overflow } = await diff(work.commit({ 'dir/a': 'one\n' }))
    expect(overflow).toBe(false)
    expect(entries).toEqual([
      expect.objectContaining({
        diff: '--- /dev/null\n+++ b/dir/a\n@@ -0,0 +1 @@\n+one\n',
        newPath: 'dir/a',
        oldPath: 'dir/a',
        aMode: '0',
        bMode: '100644',
        newFile: true,
        renamedFile: false,
        deletedFile: false,
        tooLarge: false,
        collapsed: false,
      }),
    ])
  })

  it('distinguishes changed, deleted, renamed, empty and binary files', async () => {
    const moved = lines(20)
    work.commit({ change: 'a\n', gone: 'x\n', moved, bin: Buffer.from([0, 1]) })
    const files = { change: 'b', gone: undefined, moved: undefined, 'new/moved': moved }
    const oid = work.commit({ ...files, empty: '', bin: Buffer.from([0, 2]) })
    const { entries } = await diff(oid)
    const shapes = entries.map(
      ({ oldPath, newPath, newFile, renamedFile, deletedFile, ...rest }) => [
        oldPath,
        newPath,
        newFile ? 'new' : renamedFile ? 'renamed' : deletedFile ? 'deleted' : '',
        `${rest.aMode} ${rest.bMode}`,
        rest.diff,
      ],
    )
    const change = '--- a/change\n+++ b/change\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n'
    expect(shapes).toEqual([
      ['bin', 'bin', '', '100644 100644', 'Binary files a/bin and b/bin differ\n'],
      ['change', 'change', '', '100644 100644', change],
      ['empty', 'empty', 'new', '0 100644', ''],
      ['gone', 'gone', 'deleted', '100644 0', '--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n'],
      ['moved', 'new/moved', 'renamed', '100644 100644', ''],
    ])
  })

  it('assigns diffs to their files when a file becomes a link', async () => {
    work.commit({ a: 'text\n', b: 'b\n' })
    rmSync(join(work.tree, 'a'))
    symlinkSync('b', join(work.tree, 'a'))
    const { entries } = await diff(work.commit({ b: 'c\n' }))
    expect(entries).toHaveLength(2)
    expect(entries[0]).toMatchObject({ newPath: 'a', aMode: '100644', bMode: '120000' })
    expect(entries[0]?.diff).toContain('-text\n--- /dev/null\n+++ b/a\n')
    expect(entries[1]?.diff).toBe('--- a/b\n+++ b/b\n@@ -1 +1 @@\n-b\n+c\n')
  })

  it('handles names and contents that look like a diff', async () => {
    const name = 'a\ndiff --git a/x b/x'
    const content = '-- a/x\ndiff --git a/x b/x\n@@ -1 +1 @@\n'
    work.commit({ [name]: 'old\n', z: '-- old\n' })
    const { entries } = await diff(
      work.commit({ [name]: content, 'tab\t"q"': 'x\n', z: '++ new\n' }),
    )
    expect(entries.map(({ newPath }) => newPath)).toEqual([name, 'tab\t"q"', 'z'])
    expect(entries[0]?.diff).toContain('\n+diff --git a/x b/x\n')
    expect(entries[2]?.diff).toBe('--- a/z\n+++ b/z\n@@ -1 +1 @@\n--- old\n+++ new\n')
  })

  it('replaces invalid UTF-8', async () => {
    const { entries } = await diff(work.commit({ a: Buffer.from([0x61, 0xff, 0x0a]) }))
    expect(entries[0]?.diff).toContain('+a\ufffd\n')
  })

  it('compares a merge with its first parent', async () => {
    const base = work.commit({ a: '1\n' })
    work.run(['checkout', '-q', '-b', 'side'])
    work.commit({ side: 's\n' })
    work.run(['checkout', '-q', '-B', 'main', base])
    work.commit({ main: 'm\n' })
    work.run(['merge', '-q', '--no-ff', '-m', 'merge', 'side'])
    const { entries } = await diff(work.run(['rev-parse', 'HEAD']))
    expect(entries.map(({ newPath }) => newPath)).toEqual(['side'])
  })

  it('is empty for a commit that changes nothing, and rejects a missing commit', async () => {
    work.commit({ a: '1' })
    expect(await diff(work.commit({}))).toEqual({ entries: [], overflow: false })
    await expect(diff('f'.repeat(40))).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the limits of a diff', () => {
  it('leave out the diff of a file that is too large, also with long lines', async () => {
    const oid = work.commit({ a: 'x'.repeat(900_000), b: lines(30_000), c: 'small\n' })
    const { entries } = await diff(oid)
    expect(entries.map(({ tooLarge, diff: text }) => [tooLarge, text.length > 0])).toEqual([
      [true, false],
      [true, false],
      [false, true],
    ])
    const bounded = await diff(oid, { maxFileBytes: 2_000_000 })
    expect(bounded.entries.map(({ tooLarge }) => tooLarge)).toEqual([false, false, false])
    expect(bounded.entries[0]?.diff.length).toBeGreaterThan(900_000)
  })

  it('limit the number of files', async () => {
    const files = Array.from({ length: 12 }, (_, index) => [`f${index}`, `${index}\n`])
    const oid = work.commit(Object.fromEntries(files))
    const { entries, overflow } = await diff(oid, { maxFiles: 5 })
    expect(entries).toHaveLength(5)
    expect(entries.every(({ diff: text }) => text.startsWith('--- /dev/null'))).toBe(true)
    expect(overflow).toBe(true)
    expect((await diff(oid, { maxFiles: 12 })).overflow).toBe(false)
  })

  it('collapse the files after the total limit is reached', async () => {
    const oid = work.commit({ a: lines(100), b: lines(100), c: lines(100), d: lines(100) })
    const { entries } = await diff(oid, { maxTotalBytes: 2500 })
    expect(entries.map(({ collapsed, diff: text }) => [collapsed, text.length > 0])).toEqual([
      [false, true],
      [false, true],
      [true, false],
      [true, false],
    ])
  })
})

describe('diffRange', () => {
  it('compares any two commits, optionally by path and ignoring white space', async () => {
    const from = work.commit({ a: 'a b\n', dir: 'x\n' })
    work.commit({ a: 'a  b\n' })
    const to = work.commit({ dir: 'y\n' })
    const range = async (options?: DiffOptions) =>
      (await diffRange(fixture.git, work.repository, from, to, options)).entries
    expect(await range()).toHaveLength(2)
    expect(await range({ paths: ['dir'] })).toHaveLength(1)
    expect((await range({ ignoreWhitespace: true })).map((entry) => entry.diff !== '')).toEqual([
      false,
      true,
    ])
    const bad = diffRange(fixture.git, work.repository, '--output=/tmp/x', to)
    await expect(bad).rejects.toMatchObject({ code: 'invalid' })
  })
})
