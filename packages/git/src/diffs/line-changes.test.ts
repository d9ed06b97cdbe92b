import { chmodSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, runGit, type Work } from '../testing/fixture.ts'
import { readLineChanges } from './line-changes.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  work = await buildWork(fixture)
})

const lines = (count: number, text = 'line') =>
  Array.from({ length: count }, (_, index) => `${text} ${index + 1}\n`)

async function read(from: string, to: string, paths: string[]) {
  const { files } = await readLineChanges(fixture.git, work.repository, from, to, { paths })
  return files
}

describe('readLineChanges', () => {
  it('reads the changed lines of the named files only', async () => {
    const text = lines(30)
    const from = work.commit({ a: text.join(''), b: 'b\n', c: 'c\n' })
    const changed = text.with(4, 'other\n').toSpliced(20, 2).toSpliced(10, 0, 'new\n', '-- a\n')
    const to = work.commit({ a: changed.join(''), b: 'B\n' })
    expect(await read(from, to, ['a', 'c', 'none'])).toEqual([
      {
        oldPath: 'a',
        newPath: 'a',
        hunks: [
          { oldStart: 5, oldCount: 1, newStart: 5, newCount: 1 },
          { oldStart: 11, oldCount: 0, newStart: 11, newCount: 2 },
          { oldStart: 21, oldCount: 2, newStart: 23, newCount: 0 },
        ],
      },
    ])
    expect(await read(from, from, ['a'])).toEqual([])
    expect(await read(from, to, [])).toEqual([])
  })

  it('finds a renamed file by either name, with spaces and quotation marks', async () => {
    const text = lines(30)
    const name = ['old name', 'new\t"näme"'] as const
    const from = work.commit({ [name[0]]: text.join(''), other: 'x\n' })
    const to = work.commit({
      [name[0]]: undefined,
      [name[1]]: text.toSpliced(0, 0, 'first\n').join(''),
      other: 'y\n',
    })
    for (const path of name) {
      expect(await read(from, to, [path])).toEqual([
        {
          oldPath: name[0],
          newPath: name[1],
          hunks: [{ oldStart: 1, oldCount: 0, newStart: 1, newCount: 1 }],
        },
      ])
    }
  })

  it('reads added, deleted and empty files, and changes of the mode', async () => {
    const from = work.commit({ gone: 'a\nb\n', mode: 'm\n', emptied: 'e\n' })
    chmodSync(join(work.tree, 'mode'), 0o755)
    const to = work.commit({ gone: undefined, added: '1\n2\n3\n', void: '', emptied: '' })
    const files = await read(from, to, ['gone', 'mode', 'added', 'void', 'emptied'])
    expect(files.map(({ newPath, hunks }) => [newPath, hunks])).toEqual([
      ['added', [{ oldStart: 1, oldCount: 0, newStart: 1, newCount: 3 }]],
      ['emptied', [{ oldStart: 1, oldCount: 1, newStart: 1, newCount: 0 }]],
      ['gone', [{ oldStart: 1, oldCount: 2, newStart: 1, newCount: 0 }]],
      ['mode', []],
      ['void', []],
    ])
  })

  it('knows no lines of binary files, and of files that become a link', async () => {
    const from = work.commit({ image: 'a\0b', link: 'l\n', large: `${'x'.repeat(9_000_000)}\n` })
    unlinkSync(join(work.tree, 'link'))
    symlinkSync('image', join(work.tree, 'link'))
    const to = work.commit({ image: 'a\0c', large: `${'y'.repeat(9_000_000)}\n` })
    const files = await read(from, to, ['image', 'link', 'large'])
    expect(files.map(({ newPath, hunks }) => [newPath, hunks])).toEqual([
      ['image', undefined],
      ['large', undefined],
      ['link', undefined],
    ])
  })

  it('reads a rewritten file of 100,000 lines, and more paths than one call of git takes', async () => {
    const text = lines(100_000)
    const from = work.commit({ a: text.join(''), z: 'z\n' })
    const to = work.commit({
      a: text.map((line, at) => (at % 2 === 0 ? line : `changed ${at}\n`)).join(''),
      z: 'Z\n',
    })
    const paths = Array.from({ length: 1000 }, (_, index) => `${index}/`.padEnd(4000, 'p'))
    const files = await read(from, to, ['a', ...paths, 'z'])
    expect(files.map(({ newPath, hunks }) => [newPath, hunks?.length])).toEqual([
      ['a', 50_000],
      ['z', 1],
    ])
  })

  it('fails for more hunks than it may hold', async () => {
    const count = 402_000
    const from = work.commit({ a: 'x\n'.repeat(count) })
    const to = work.commit({ a: 'x\ny\n'.repeat(count / 2) })
    await expect(read(from, to, ['a'])).rejects.toMatchObject({ code: 'output_limit' })
  })

  it('says when a file that became a directory has too many files', async () => {
    const from = work.commit({ dir: 'd\n', z: 'z\n' })
    const blob = work.run(['rev-parse', `${from}:z`])
    const index = Array.from({ length: 20_001 }, (_, at) => `100644 ${blob}\tdir/${at}\n`)
    work.run(['rm', '-q', '--cached', 'dir'])
    work.run(['update-index', '--add', '--index-info'], index.join(''))
    const tree = work.run(['write-tree'])
    const to = runGit(
      [`--git-dir=${work.repository.path}`, 'commit-tree', tree, '-p', from, '-m', 'x'],
      '',
    )
    const options = { paths: ['dir', 'z'] }
    const read = await readLineChanges(fixture.git, work.repository, from, to, options)
    expect(read.overflow).toBe(true)
  })

  it('fails for a commit that does not exist, and for names of commits', async () => {
    const oid = work.commit({ a: 'a\n' })
    await expect(read(oid, 'f'.repeat(40), ['a'])).rejects.toMatchObject({ code: 'not_found' })
    await expect(read('main', oid, ['a'])).rejects.toMatchObject({ code: 'invalid' })
  })
})
