import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyTreeOid } from '../diffs/diff.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { writeBlob, writeTree } from '../testing/trees.ts'
import { type FileSearch, grepFiles } from './grep-files.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

const find = (search: Omit<FileSearch, 'ignoreCase' | 'limit'> & Partial<FileSearch>) =>
  grepFiles(fixture.git, work.repository, { ignoreCase: true, limit: 100, ...search })

/** A tree of files by path, each character of which is a byte. */
function treeOf(files: Record<string, string | Buffer>): string {
  const entries = Object.entries(files).map(([path, content]) => {
    return [path, { mode: '100644', oid: writeBlob(work, content) }] as const
  })
  return writeTree(work, new Map(entries))
}

describe('grepFiles', () => {
  it('finds files with a text in one of their lines', async () => {
    const commit = work.commit({
      'a/b.txt': 'x\nNeedle 1\r\n\nneedle 2\nneedle 3\nneedle 4\n',
      'c.txt': 'no line break after the needle',
      'd.txt': 'nothing\n',
    })
    expect(await find({ commit, text: 'needle' })).toEqual(['a/b.txt', 'c.txt'])
    expect(await find({ commit, text: 'Needle', ignoreCase: false })).toEqual(['a/b.txt'])
    expect(await find({ commit, text: 'needle', limit: 1 })).toEqual(['a/b.txt'])
    expect(await find({ commit, text: 'needle', limit: 0 })).toEqual([])
    expect(await find({ commit, text: 'absent' })).toEqual([])
    expect(await find({ commit: emptyTreeOid, text: 'x' })).toEqual([])
  })

  it('takes any text as it is, and never as an option, a pattern or two texts', async () => {
    const texts = ['--files', '-O', '.*', '[a]', '\\', 'a\\Eb', '\\E.*', '$^', '\\(', 'ß', '`id`']
    const files = Object.fromEntries([
      ...texts.map((text, index) => [`f${index}`, `before ${text} after\n`]),
      ['other', 'aXb E. a\n'],
    ])
    const commit = treeOf(files)
    for (const text of texts) {
      const expected = Object.keys(files).filter((path) => files[path].includes(text))
      for (const ignoreCase of [true, false]) {
        expect((await find({ commit, text, ignoreCase })).toSorted(), text).toEqual(
          expected.toSorted(),
        )
      }
    }
    for (const text of ['', 'before\nafter', '\0', 'a\0b']) {
      expect(await find({ commit, text })).toEqual([])
    }
    for (const part of ['x', 'ä', '€', '\\E']) {
      const text = part.repeat(Math.floor((16 * 1024) / Buffer.byteLength(part)))
      const long = treeOf({ long: `${text}\n` })
      expect(await find({ commit: long, text: text.toUpperCase() })).toEqual(['long'])
      expect(await find({ commit: long, text, ignoreCase: false })).toEqual(['long'])
    }
    await expect(find({ commit, text: 'x'.repeat(16 * 1024 + 1) })).rejects.toMatchObject({
      code: 'invalid',
    })
  })

  it('ignores the case of letters of other scripts, in files that are not UTF-8 as well', async () => {
    const commit = treeOf({
      utf8: 'ÄRGER Привет\n',
      latin1: Buffer.from('caf\xe9 \xc4RGER\n\xff needle\n', 'latin1'),
      utf16: Buffer.from('needle\n', 'utf16le'),
      binary: Buffer.from('needle\n\0\n'),
      late: `${'x\n'.repeat(5000)}\0needle\0\n`,
    })
    expect(await find({ commit, text: 'ärger' })).toEqual(['utf8'])
    expect(await find({ commit, text: 'ПРИВЕТ' })).toEqual(['utf8'])
    expect(await find({ commit, text: 'ärger', ignoreCase: false })).toEqual([])
    expect(await find({ commit, text: 'NEEDLE' })).toEqual(['late', 'latin1'])
  })

  it('searches regular files of any name, and no links and submodules', async () => {
    const oid = writeBlob(work, 'needle\n')
    const names = ['"q"', '-x', ':(top)x', 'a\nb', 'b:1:c', 'caf\xe9', 'd/ ', 'tab\t']
    const files = new Map(names.map((name) => [name, { mode: '100644', oid }]))
    files.set('run', { mode: '100755', oid })
    files.set('link', { mode: '120000', oid })
    files.set('sub', { mode: '160000', oid: 'e'.repeat(40) })
    const commit = writeTree(work, files)
    const expected = [...names, 'run'].map((name) => name.replace('\xe9', '\ufffd'))
    expect((await find({ commit, text: 'needle' })).toSorted()).toEqual(expected.toSorted())
  })

  it('searches a folder of 20,000 files, within its limits', async () => {
    const oid = writeBlob(work, `${'needle '.repeat(2000)}\n`)
    const names = Array.from({ length: 20_000 }, (_, index) => `f${String(index).padStart(5, '0')}`)
    const files = new Map(names.map((name) => [name, { mode: '100644', oid }]))
    const commit = writeTree(work, files)
    const search = { commit, text: 'needle', limit: 20_000 }
    expect(await find({ ...search, limit: 100 })).toEqual(names.slice(0, 100))
    await expect(find({ ...search, timeoutMs: 1 })).rejects.toMatchObject({ code: 'timeout' })
    // It failed once: no process the second time.
    const before = fixture.git.spawnCount
    await expect(find({ ...search, timeoutMs: 1 })).rejects.toMatchObject({ code: 'timeout' })
    expect(fixture.git.spawnCount).toBe(before)
    expect(await find({ ...search, timeoutMs: 1, partial: true })).toEqual([])
    const controller = new AbortController()
    const aborted = find({ ...search, signal: controller.signal })
    await expect.poll(() => fixture.git.processCount).toBe(1)
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ code: 'aborted' })
    await expect.poll(() => fixture.git.processCount).toBe(0)
  })

  it('rejects a missing commit, and a name that is not a full id', async () => {
    await expect(find({ commit: 'e'.repeat(40), text: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    })
    for (const commit of ['main', '--cached', '-O', '']) {
      await expect(find({ commit, text: 'x' })).rejects.toMatchObject({ code: 'invalid' })
    }
  })
})
