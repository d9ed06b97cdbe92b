import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildWork,
  type Fixture,
  openFixture,
  seededRandom,
  type Work,
} from '../testing/fixture.ts'
import { listTree } from '../trees/tree.ts'
import { lastCommitFor } from './history.ts'
import { type LastCommitsLimits, lastCommits } from './last-commits.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const enough: LastCommitsLimits = { waitMs: 60_000, timeoutMs: 60_000, maxOutputBytes: 1e8 }

async function entriesOf({ repository }: Work, commit: string, path: string) {
  const range = { skip: 0, limit: 1000 }
  return (await listTree(fixture.git, repository, { commit, path, ...range }))?.entries ?? []
}

/** The titles of the last commits, by the name of the entry. */
async function titles(work: Work, path = '', commit = work.run(['rev-parse', 'HEAD'])) {
  const entries = await entriesOf(work, commit, path)
  const query = { commit, path, entries }
  const found = await lastCommits(fixture.git, work.repository, query, enough)
  return Object.fromEntries([...found].map(([name, { title }]) => [name, title]))
}

describe('lastCommits', () => {
  it('finds the newest commit of files, folders and submodules', async () => {
    const work = await buildWork(fixture)
    work.commit({ a: '1', b: '1', 'dir/x': '1', 'dir/deep/y': '1', 'ü "q"\t': '1' }, 'one')
    work.commit({ a: '2' }, 'two')
    work.commit({ 'dir/deep/y': '2' }, 'three')
    work.run(['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`])
    work.run(['commit', '-q', '-m', 'four'])
    expect(await titles(work)).toEqual({
      a: 'two',
      b: 'one',
      dir: 'three',
      'ü "q"\t': 'one',
      module: 'four',
    })
    expect(await titles(work, 'dir')).toEqual({ deep: 'three', x: 'one' })
    expect(await titles(work, 'dir/deep')).toEqual({ y: 'three' })
  })

  it('counts a change of the mode, and a change that was taken back', async () => {
    const work = await buildWork(fixture)
    work.commit({ a: '1', b: '1' }, 'one')
    work.commit({ a: '2' }, 'two')
    work.commit({ a: '1' }, 'three')
    chmodSync(join(work.tree, 'b'), 0o755)
    work.commit({}, 'four')
    expect(await titles(work)).toEqual({ a: 'three', b: 'four' })
  })

  it('names the commit of a branch, unless the merge itself made the entry', async () => {
    const work = await buildWork(fixture)
    work.commit({ a: '1', 'dir/x': '1', 'dir/y': '1' }, 'one')
    work.run(['checkout', '-q', '-b', 'topic'])
    work.commit({ a: '2', 'dir/x': '2' }, 'topic')
    work.run(['checkout', '-q', 'main'])
    work.commit({ 'dir/y': '2' }, 'main')
    work.run(['merge', '-q', '--no-ff', '-m', 'merge', 'topic'])
    expect(await titles(work)).toEqual({ a: 'topic', dir: 'merge' })
    expect(await titles(work, 'dir')).toEqual({ x: 'topic', y: 'main' })
  })

  it('ignores a change that the merge did not take', async () => {
    const work = await buildWork(fixture)
    work.commit({ a: '1' }, 'one')
    work.run(['checkout', '-q', '-b', 'topic'])
    work.commit({ a: '2' }, 'topic')
    work.run(['checkout', '-q', 'main'])
    work.run(['merge', '-q', '-s', 'ours', '-m', 'merge', 'topic'])
    expect(await titles(work)).toEqual({ a: 'one' })
  })

  it('agrees with the log of each entry, whatever the history', async () => {
    const work = await buildWork(fixture)
    const random = seededRandom(7)
    work.commit({ a: 'x', 'd/a': 'x', 'd/b': 'x', 'd/e/a': 'x' }, 'start')
    for (let at = 0; at < 40; at += 1) {
      const path = ['a', 'd/a', 'd/b', 'd/e/a'][Math.floor(random() * 4)] ?? 'a'
      work.commit({ [path]: `${at}` }, `change ${at}`)
      // After each push, as pages are looked at.
      if (at % 7 === 0) await titles(work)
      if (at % 7 === 3) await titles(work, 'd')
    }
    const commit = work.run(['rev-parse', 'HEAD'])
    for (const path of ['', 'd', 'd/e']) {
      const expected = (await entriesOf(work, commit, path)).map(async (entry) => {
        const last = await lastCommitFor(fixture.git, work.repository, commit, entry.path)
        return [entry.name, last?.title]
      })
      expect(await titles(work, path)).toEqual(Object.fromEntries(await Promise.all(expected)))
    }
  })

  it('starts no process when cached, and one after a push', async () => {
    const work = await buildWork(fixture)
    for (let at = 0; at < 20; at += 1) work.commit({ a: `${at}`, [`b${at}`]: '' }, `change ${at}`)
    await titles(work)
    const before = fixture.git.spawnCount
    await Promise.all([titles(work), titles(work)])
    expect(fixture.git.spawnCount).toBe(before)
    work.commit({ a: 'new' }, 'new')
    const tip = work.run(['rev-parse', 'HEAD'])
    expect(await titles(work, '', tip)).toMatchObject({ a: 'new', b0: 'change 0' })
    expect(fixture.git.spawnCount - before).toBeLessThanOrEqual(1)
  })

  it('does not take what another branch knows', async () => {
    const work = await buildWork(fixture)
    work.commit({ a: '1' }, 'one')
    work.run(['branch', 'topic'])
    work.commit({ a: '2' }, 'two')
    work.commit({ a: '1' }, 'three')
    expect(await titles(work)).toEqual({ a: 'three' })
    expect(await titles(work, '', work.run(['rev-parse', 'topic']))).toEqual({ a: 'one' })
  })

  it('answers with what it has when a limit is reached, and goes on for the next caller', async () => {
    const work = await buildWork(fixture)
    work.commit({ a: '1', b: '1' }, 'one')
    const commit = work.run(['rev-parse', 'HEAD'])
    const query = { commit, path: '', entries: await entriesOf(work, commit, '') }
    const late = { ...enough, waitMs: 0 }
    expect((await lastCommits(fixture.git, work.repository, query, late)).size).toBe(0)
    const whole = await lastCommits(fixture.git, work.repository, query, enough)
    expect([...whole.keys()]).toEqual(['a', 'b'])
    const other = await buildWork(fixture)
    other.commit({ a: '1' }, 'one')
    const tip = other.run(['rev-parse', 'HEAD'])
    const small = { commit: tip, path: '', entries: await entriesOf(other, tip, '') }
    const limits = { ...enough, maxOutputBytes: 10 }
    expect((await lastCommits(fixture.git, other.repository, small, limits)).size).toBe(0)
  })
})
