import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyTreeOid } from '../diffs/diff.ts'
import { type Git, openGit } from '../git.ts'
import {
  buildWork,
  collect,
  type Fixture,
  openFixture,
  runGitRaw,
  seededRandom,
  type Work,
} from '../testing/fixture.ts'
import { writeBlob, writeTree } from '../testing/trees.ts'
import { type BlobChanges, type ChangedBlob, changedBlobs } from './changed-blobs.ts'

let fixture: Fixture
let work: Work
let blobs: string[]

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
  blobs = ['one', 'two', 'three', Buffer.from([0, 255])].map((text) => writeBlob(work, text))
})
afterAll(() => fixture.close())

const open = (changes: BlobChanges, in_ = work, git: Git = fixture.git) =>
  changedBlobs(git, in_.repository, changes)

async function list(from: string | null, to: string, more: Partial<BlobChanges> = {}, in_ = work) {
  return (await collect(open({ from, to, ...more }, in_))).flat()
}

/** Ids by path, as `git ls-tree` lists the files. */
function filesOf(oid: string | null): Map<string, string> {
  const files = new Map<string, string>()
  if (oid === null) return files
  const args = [`--git-dir=${work.repository.path}`, 'ls-tree', '-r', '-z', '--full-tree', oid]
  for (const line of runGitRaw(args).toString().split('\0')) {
    const [, mode = '', oid = '', path = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? []
    if (mode.startsWith('100')) files.set(path, oid)
  }
  return files
}

function expected(from: string | null, to: string): ChangedBlob[] {
  const [before, after] = [filesOf(from), filesOf(to)]
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].flatMap((path): ChangedBlob[] => {
    const [previousOid, oid] = [before.get(path) ?? null, after.get(path) ?? null]
    if (previousOid === oid) return []
    if (oid === null) return previousOid ? [{ path, status: 'deleted', oid, previousOid }] : []
    if (previousOid === null) return [{ path, status: 'added', oid, previousOid }]
    return [{ path, status: 'modified', oid, previousOid }]
  })
}

const byPath = (one: ChangedBlob, other: ChangedBlob) => (one.path < other.path ? -1 : 1)

const oddNames = ['a\nb', '"q"', ':(top)x', '-x', ' ', 'tab\t', 'caf\xe9', 'ä/ö', '*', 'd/\\', 'M']
const modes = ['100644', '100644', '100755', '120000', '160000']

describe('changedBlobs', () => {
  it('lists what git lists for both sides, after random changes', async () => {
    const random = seededRandom(11)
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
    const names = [
      ...oddNames,
      ...Array.from({ length: 20 }, (_, index) => `d${index % 4}/f${index}`),
    ]
    const files = new Map<string, { mode: string; oid: string }>()
    let previous: string | null = null
    for (let round = 0; round < 25; round += 1) {
      for (let edit = random() * 12; edit > 0; edit -= 1) {
        const name = pick(names)
        if (random() < 0.3) files.delete(name)
        else files.set(name, { mode: pick(modes), oid: pick(blobs) })
      }
      const tree = writeTree(work, files)
      for (const from of [previous, null, emptyTreeOid]) {
        const found = await list(from, tree)
        expect(found.toSorted(byPath)).toEqual(expected(from, tree).toSorted(byPath))
      }
      previous = tree
    }
    expect(await list(previous, emptyTreeOid)).toHaveLength(filesOf(previous).size)
  })

  it('reads commits, and an empty repository', async () => {
    const other = await buildWork(fixture)
    expect(await list(null, emptyTreeOid, {}, other)).toEqual([])
    await expect(list(null, 'e'.repeat(40), {}, other)).rejects.toMatchObject({ code: 'not_found' })
    const first = other.commit({ a: '1\n', b: '2\n' })
    const second = other.commit({ a: '2\n', c: '3\n', b: undefined })
    const changes = await list(first, second, {}, other)
    expect(changes.map(({ path, status }) => `${path} ${status}`)).toEqual([
      'a modified',
      'b deleted',
      'c added',
    ])
    expect((await list(null, second, {}, other)).map(({ path }) => path)).toEqual(['a', 'c'])
  })

  it('leaves out paths that no file system has', async () => {
    const file = { mode: '100644', oid: blobs[0] ?? '' }
    const folder = `${'x'.repeat(100)}/`.repeat(40)
    const paths = ['a', `${folder}${'y'.repeat(56)}`, `${folder}${'y'.repeat(57)}`, 'z']
    const tree = writeTree(work, new Map(paths.map((path) => [path, file])))
    const found = [...(await list(null, tree)), ...(await list(emptyTreeOid, tree))]
    expect(found.map(({ path }) => path.length)).toEqual([1, 4096, 1, 1, 4096, 1])
  })

  it('reads a folder of 20,000 files in batches, and ends git when the reader leaves', async () => {
    const file = { mode: '100644', oid: blobs[0] ?? '' }
    const names = Array.from({ length: 20_000 }, (_, index) => `f${String(index).padStart(5, '0')}`)
    const tree = writeTree(work, new Map(names.map((name) => [name, file])))
    for (const from of [null, emptyTreeOid]) {
      const batches = await collect(open({ from, to: tree }))
      expect(batches.flat().map(({ path }) => path)).toEqual(names)
      expect(Math.max(...batches.map((batch) => batch.length))).toBe(500)
      for await (const batch of open({ from, to: tree })) {
        expect(batch).toHaveLength(500)
        break
      }
      await expect.poll(() => fixture.git.processCount).toBe(0)
    }
  })

  it('fails when it is aborted, and leaves no git', async () => {
    const file = { mode: '100644', oid: blobs[0] ?? '' }
    const large = Array.from({ length: 30_000 }, (_, index) => [`f${index}`, file] as const)
    const tree = writeTree(work, new Map(large))
    for (const from of [null, emptyTreeOid]) {
      const controller = new AbortController()
      const batches = open({ from, to: tree, signal: controller.signal })
      expect((await batches.next()).value).toHaveLength(500)
      controller.abort()
      await expect(batches.next()).rejects.toMatchObject({ code: 'aborted' })
      await expect.poll(() => fixture.git.processCount).toBe(0)
    }
    // All of the output is read before the second batch.
    const small = writeTree(work, new Map(large.slice(0, 600)))
    const controller = new AbortController()
    const batches = open({ from: null, to: small, signal: controller.signal })
    await batches.next()
    await expect.poll(() => fixture.git.processCount).toBe(0)
    controller.abort()
    await expect(batches.next()).rejects.toMatchObject({ code: 'aborted' })
    await expect(list(null, small, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    })
  })

  it('tells that a commit, or a folder of it, is gone', async () => {
    const other = await buildWork(fixture)
    const first = other.commit({ 'a/b': '1\n', c: '1\n' })
    const second = other.commit({ 'a/b': '2\n' })
    const gone = { code: 'not_found' }
    await expect(list('e'.repeat(40), second, {}, other)).rejects.toMatchObject(gone)
    await expect(list(second, 'e'.repeat(40), {}, other)).rejects.toMatchObject(gone)
    for (const name of [`${first}:a`, `${first}^{tree}`, first]) {
      const oid = other.run(['rev-parse', name])
      const { path } = other.repository
      rmSync(join(path, 'objects', oid.slice(0, 2), oid.slice(2)))
      await expect(list(first, second, {}, other)).rejects.toMatchObject(gone)
      await expect(list(null, first, {}, other)).rejects.toMatchObject(gone)
    }
    expect(await list(null, second, {}, other)).toHaveLength(2)
  })

  it('refuses more entries than it may read, folders without a file among them', async () => {
    const file = { mode: '100644', oid: blobs[0] ?? '' }
    const tree = writeTree(work, new Map(['a', 'b', 'c'].map((name) => [name, file])))
    expect(await list(null, tree, { maxEntries: 3 })).toHaveLength(3)
    expect(await list(emptyTreeOid, tree, { maxEntries: 3 })).toHaveLength(3)
    for (const from of [null, emptyTreeOid]) {
      await expect(list(from, tree, { maxEntries: 2 })).rejects.toMatchObject({
        code: 'output_limit',
      })
    }
    let folder = emptyTreeOid
    for (let depth = 0; depth < 9; depth += 1) {
      const lines = Array.from({ length: 10 }, (_, index) => `040000 tree ${folder}\t${index}\n`)
      folder = work.run(['mktree', '--missing'], lines.join(''))
    }
    await expect(list(null, folder, { maxEntries: 10_000 })).rejects.toMatchObject({
      code: 'output_limit',
    })
    await expect.poll(() => fixture.git.processCount).toBe(0)
  })

  it('accepts full ids only', async () => {
    for (const name of ['main', '--output=/tmp/x', 'abc', '']) {
      await expect(list(null, name)).rejects.toMatchObject({ code: 'invalid' })
      await expect(list(name, emptyTreeOid)).rejects.toMatchObject({ code: 'invalid' })
    }
  })

  it('fails when git ends', async () => {
    const git = await openGit()
    const tree = writeTree(work, new Map([['a', { mode: '100644', oid: blobs[0] ?? '' }]]))
    await git.close()
    const closed = collect(open({ from: null, to: tree }, work, git))
    await expect(closed).rejects.toMatchObject({ code: 'failed' })
  })
})
