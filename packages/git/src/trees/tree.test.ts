import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { collectBlobs } from './collect-blobs.ts'
import {
  type BlobSize,
  findEntry,
  listBelow,
  listRootFiles,
  listTree,
  readBlob,
  walkBlobs,
} from './tree.ts'

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

const limits = { timeoutMs: 60_000, maxEntries: 1e9, maxOutputBytes: 1e9 }

const list = async (path: string, range = { skip: 0, limit: 100 }) =>
  (await listTree(fixture.git, work.repository, { commit, path, ...range }))?.entries

const below = async (path: string, page = {}) =>
  listBelow(fixture.git, work.repository, { commit, path, skip: 0, limit: 100, limits, ...page })

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

  it('lists one page, with the total', async () => {
    const range = { skip: 1, limit: 2 }
    const page = await listTree(fixture.git, work.repository, { commit, ...range })
    expect([page?.entries.map(({ path }) => path), page?.total]).toEqual([['z', 'a.txt'], 7])
    expect(await list('', { skip: 7, limit: 2 })).toEqual([])
  })

  it('starts no process when cached', async () => {
    await list('a')
    const before = fixture.git.spawnCount
    await list('a/deep')
    expect(fixture.git.spawnCount).toBe(before)
  })

  it.each(['nope', 'b.txt', 'b.txt/x', 'module', '..', 'a/../z', '\0'])(
    'knows no folder %j',
    async (path) => {
      expect(await list(path)).toBeUndefined()
      expect(await below(path)).toBeUndefined()
    },
  )

  it('returns undefined for a missing commit', async () => {
    const query = { commit: 'f'.repeat(40), skip: 0, limit: 1 }
    expect(await listTree(fixture.git, work.repository, query)).toBeUndefined()
  })
})

describe('listRootFiles', () => {
  it('finds files by the start of their names, in any case', async () => {
    const find = async (prefix: string) =>
      (await listRootFiles(fixture.git, work.repository, { commit, prefix })).map(
        ({ name }) => name,
      )
    expect(await find('a')).toEqual(['a.txt'])
    expect(await find('ü')).toEqual([])
    expect(await find('li')).toEqual(['link'])
  })
})

describe('listBelow', () => {
  it('lists everything in the order of git', async () => {
    const expected = work.run(['ls-tree', '-r', '-t', '--name-only', '-z', 'HEAD']).split('\0')
    const page = await below('')
    expect(page?.entries.map(({ path }) => path)).toEqual(expected.filter(Boolean))
    expect((await below('a'))?.entries.map(({ name, path }) => [name, path])).toEqual([
      ['deep', 'a/deep'],
      ['x', 'a/deep/x'],
    ])
  })

  it('returns one page and the total, without a process when cached', async () => {
    const all = await below('')
    const before = fixture.git.spawnCount
    const page = await below('', { skip: 3, limit: 2 })
    expect(page).toEqual({ entries: all?.entries.slice(3, 5), total: all?.total })
    expect(await below('', { skip: 50 })).toEqual({ entries: [], total: all?.total })
    expect(fixture.git.spawnCount).toBe(before)
  })

  it('reads far pages of a long list, of which it holds the start alone', async () => {
    const files = Array.from({ length: 15_000 }, (_, at) => `folder/${String(at).padStart(6, '0')}`)
    const blob = work.run(['hash-object', '-w', '--stdin'], 'x')
    const index = files.map((path) => `100644 ${blob}\t${path}\n`).join('')
    work.run(['update-index', '--index-info'], index)
    work.run(['commit', '-q', '-m', 'many'])
    const long = work.run(['rev-parse', 'HEAD'])
    work.run(['reset', '-q', commit])
    const page = { commit: long, path: 'folder', limit: 2, limits }
    const read = (skip: number) => listBelow(fixture.git, work.repository, { ...page, skip })
    expect((await read(0))?.entries[0]?.path).toBe(files[0])
    const last = await read(14_999)
    expect([last?.total, last?.entries.map(({ path }) => path)]).toEqual([15_000, [files[14_999]]])
    const middle = await read(13_000)
    expect(middle?.entries.map(({ path }) => path)).toEqual(files.slice(13_000, 13_002))
  })

  it.each([{ maxEntries: 3 }, { maxOutputBytes: 100 }, { timeoutMs: 0.5 }])(
    'fails beyond %j, and then without a process',
    async (limit) => {
      const read = () => below('', { commit, limits: { ...limits, ...limit } })
      fixture.git.forget(work.repository.path)
      const code = 'timeoutMs' in limit ? 'timeout' : 'output_limit'
      await expect(read()).rejects.toMatchObject({ code })
      const before = fixture.git.spawnCount
      await expect(read()).rejects.toMatchObject({ code })
      expect(fixture.git.spawnCount).toBe(before)
    },
  )

  it('fails without a process at each path of a folder that is beyond the limits', async () => {
    const tree = work.run(['rev-parse', `${commit}:a`])
    const index = ['one', 'two'].map((name) => `040000 tree ${tree}\t${name}\n`).join('')
    const root = work.run(['mktree'], index)
    const copies = work.run(['commit-tree', '-m', 'copies', root])
    const read = (path: string) =>
      below(path, { commit: copies, limits: { ...limits, maxEntries: 1 } })
    fixture.git.forget(work.repository.path)
    await expect(read('one')).rejects.toMatchObject({ code: 'output_limit' })
    const before = fixture.git.spawnCount
    await expect(read('two')).rejects.toMatchObject({ code: 'output_limit' })
    expect(fixture.git.spawnCount).toBe(before)
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
    const sizes: BlobSize[] = []
    const visit = (file: BlobSize) => sizes.push(file)
    await walkBlobs(fixture.git, work.repository, commit, { limits, visit })
    const oid = expect.stringMatching(/^[0-9a-f]{40}$/)
    expect(sizes).toContainEqual({ path: 'b.txt', oid, size: 2, mode: '100755' })
    expect(sizes).toContainEqual({ path: 'a.txt', oid, size: 0, mode: '100644' })
    expect(sizes.map(({ path }) => path)).not.toContain('module')
  })

  it('are collected once for each commit, until enough are', async () => {
    const collect = (name: string, count: number) =>
      collectBlobs(fixture.git, work.repository, commit, {
        name,
        limits,
        create: (): string[] => [],
        add: (paths, { path }) => paths.push(path) < count,
        sizeOf: (paths) => 100 * paths.length,
      })
    const all = await collect('all', 1000)
    expect(all).toContain('b.txt')
    expect(all).not.toContain('module')
    const before = fixture.git.spawnCount
    expect(await collect('all', 1000)).toBe(all)
    expect(fixture.git.spawnCount).toBe(before)
    expect(await collect('two', 2)).toEqual(all.slice(0, 2))
  })

  it('are not collected beyond the limits, which are remembered', async () => {
    const collect = () =>
      collectBlobs(fixture.git, work.repository, commit, {
        name: 'few',
        limits: { ...limits, maxEntries: 1 },
        create: () => [],
        add: () => true,
        sizeOf: () => 0,
      })
    await expect(collect()).rejects.toMatchObject({ code: 'output_limit' })
    const before = fixture.git.spawnCount
    await expect(collect()).rejects.toMatchObject({ code: 'output_limit' })
    expect(fixture.git.spawnCount).toBe(before)
  })
})
