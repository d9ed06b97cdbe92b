import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { findEntry, listBlobSizes, listTree, readBlob } from './tree.ts'

let fixture: Fixture
let work: Work
let commit: string

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
  work.commit({ 'b.txt': 'bb', 'a/deep/x': 'x', 'z/y': 'y', 'a.txt': '', 'ü mlaut': 'u' })
  symlinkSync('b.txt', join(work.tree, 'link'))
  work.run(['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`])
  chmodSync(join(work.tree, 'b.txt'), 0o755)
  work.run(['add', 'link', 'b.txt'])
  work.run(['commit', '-q', '-m', 'more'])
  commit = work.run(['rev-parse', 'HEAD'])
})
afterAll(() => fixture.close())

const list = (path: string, recursive = false) =>
  listTree(fixture.git, work.repository, { commit, path, recursive })

describe('listTree', () => {
  it('lists folders, then files, then submodules', async () => {
    const entries = await list('')
    expect(entries?.map(({ mode, type, path }) => `${mode} ${type} ${path}`)).toEqual([
      '040000 tree a',
      '040000 tree z',
      '100644 blob a.txt',
      '100755 blob b.txt',
      '120000 blob link',
      '100644 blob ü mlaut',
      '160000 commit module',
    ])
    expect(entries?.[6]?.oid).toBe('1'.repeat(40))
  })

  it('lists a subfolder with paths from the root', async () => {
    const oid = work.run(['rev-parse', 'HEAD:a/deep/x'])
    expect(await list('/a/deep/')).toEqual([
      { oid, name: 'x', type: 'blob', path: 'a/deep/x', mode: '100644' },
    ])
  })

  it('lists recursively in the order of git', async () => {
    const expected = work.run(['ls-tree', '-r', '-t', '--name-only', '-z', 'HEAD']).split('\0')
    const entries = await list('', true)
    expect(entries?.map(({ path }) => path)).toEqual(expected.filter(Boolean))
    expect((await list('a', true))?.map(({ name, path }) => [name, path])).toEqual([
      ['deep', 'a/deep'],
      ['x', 'a/deep/x'],
    ])
  })

  it('starts no process when cached, recursive or not', async () => {
    await list('', true)
    await list('a')
    const before = fixture.git.spawnCount
    await list('', true)
    await list('a/deep')
    expect(fixture.git.spawnCount).toBe(before)
  })

  it.each(['nope', 'b.txt', 'b.txt/x', 'module', '..', 'a/../z', '\0'])(
    'knows no folder %j',
    async (path) => {
      expect(await list(path)).toBeUndefined()
      expect(await list(path, true)).toBeUndefined()
    },
  )

  it('returns undefined for a missing commit', async () => {
    const query = { commit: 'f'.repeat(40) }
    expect(await listTree(fixture.git, work.repository, query)).toBeUndefined()
  })
})

describe('files', () => {
  it('are found and read', async () => {
    const { git } = fixture
    const file = await readBlob(git, work.repository, commit, 'b.txt')
    expect(file).toMatchObject({ path: 'b.txt', size: 2, mode: '100755' })
    expect(file?.content.toString()).toBe('bb')
    expect(await readBlob(git, work.repository, commit, 'a')).toBeUndefined()
    expect(await findEntry(git, work.repository, commit, '')).toMatchObject({ type: 'tree' })
    expect(await findEntry(git, work.repository, commit, 'a/deep')).toMatchObject({ name: 'deep' })
  })

  it('are listed with their sizes', async () => {
    const sizes = await listBlobSizes(fixture.git, work.repository, commit)
    expect(sizes).toContainEqual({ path: 'b.txt', size: 2, mode: '100755' })
    expect(sizes).toContainEqual({ path: 'a.txt', size: 0, mode: '100644' })
    expect(sizes.map(({ path }) => path)).not.toContain('module')
  })
})
