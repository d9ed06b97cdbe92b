import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countCommits } from '../counting/commit-count.ts'
import { readCommit, readTag } from '../reading/text-object.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { commitStats, type HistoryPage, lastCommitFor, listCommits } from './history.ts'
import { findMergeBase } from './merge-base.ts'

let fixture: Fixture
let work: Work
let oids: string[]
let merge: string
let side: string

beforeAll(async () => {
  fixture = await openFixture()
  work = await buildWork(fixture)
  const { commit, run } = work
  oids = [
    commit({ 'a.txt': '1\n2\n3\n' }, 'First\n\nwith a body'),
    commit({ 'a.txt': '1\n2\n', 'dir/b.txt': 'b\n' }, 'Second'),
    commit({ 'dir/[b].txt': 'x\n' }, 'Third'),
  ]
  run(['checkout', '-q', '-b', 'side', oids[0] ?? ''])
  side = commit({ side: 'a\nb\n' }, 'Side')
  run(['checkout', '-q', 'main'])
  const dates = {
    GIT_COMMITTER_DATE: '2021-01-01T00:00:00Z',
    GIT_AUTHOR_DATE: '2021-01-01T00:00:00Z',
  }
  run(['merge', '-q', '--no-ff', '-m', 'Merge', 'side'], '', dates)
  merge = run(['rev-parse', 'HEAD'])
})
afterAll(() => fixture.close())

const titles = async (page: Omit<HistoryPage, 'limit'> & { limit?: number }) =>
  (await listCommits(fixture.git, work.repository, { limit: 20, ...page })).map(
    ({ title }) => title,
  )

describe('listCommits', () => {
  it('lists from a tip, by page', async () => {
    expect(await titles({ tip: merge })).toEqual(['Merge', 'Side', 'Third', 'Second', 'First'])
    expect(await titles({ tip: merge, skip: 1, limit: 2 })).toEqual(['Side', 'Third'])
    expect(await titles({ tip: merge, firstParent: true })).toEqual([
      'Merge',
      'Third',
      'Second',
      'First',
    ])
    expect(await titles({ tip: merge, notReachableFrom: oids[2] ?? '' })).toEqual(['Merge', 'Side'])
  })

  it('returns complete commits', async () => {
    const [commit] = await listCommits(fixture.git, work.repository, {
      tip: oids[0] ?? '',
      limit: 1,
    })
    expect(commit).toMatchObject({
      oid: oids[0],
      parents: [],
      author: { name: 'Ada', email: 'ada@example.com' },
      committer: { name: 'Grace', email: 'grace@example.com' },
      message: 'First\n\nwith a body\n',
      title: 'First',
    })
    expect(commit?.author.date).toMatch(/^2020-01-01T\d\d:\d\d:00\.000\+02:00$/)
  })

  it('filters by literal path, and by time', async () => {
    expect(await titles({ tip: merge, path: 'dir' })).toEqual(['Third', 'Second'])
    expect(await titles({ tip: merge, path: 'dir/[b].txt' })).toEqual(['Third'])
    expect(await titles({ tip: merge, path: '--all' })).toEqual([])
    expect(await titles({ tip: merge, path: ':(exclude)dir' })).toEqual([])
    const since = new Date('2020-12-31T00:00:00Z')
    expect(await titles({ tip: merge, since })).toEqual(['Merge'])
    expect(await titles({ tip: merge, until: since })).toHaveLength(4)
  })

  it('starts no process for a cached page, and returns the same', async () => {
    const page = { tip: merge, limit: 3, withStats: true }
    const cold = await listCommits(fixture.git, work.repository, page)
    const before = fixture.git.spawnCount
    expect(await listCommits(fixture.git, work.repository, page)).toEqual(cold)
    expect(fixture.git.spawnCount).toBe(before)
  })

  it('counts changed lines against the first parent', async () => {
    const page = { tip: merge, limit: 20, withStats: true }
    const commits = await listCommits(fixture.git, work.repository, page)
    expect(commits.map(({ title, stats }) => [title, stats?.additions, stats?.deletions])).toEqual([
      ['Merge', 2, 0],
      ['Side', 2, 0],
      ['Third', 1, 0],
      ['Second', 1, 1],
      ['First', 3, 0],
    ])
    expect(await commitStats(fixture.git, work.repository, merge)).toEqual({
      additions: 2,
      deletions: 0,
    })
    const missing = commitStats(fixture.git, work.repository, 'f'.repeat(40))
    await expect(missing).rejects.toMatchObject({ code: 'not_found' })
  })

  it('lists the commits of all branches and tags, including a new one', async () => {
    const other = await buildWork(fixture)
    const all = () => listCommits(fixture.git, other.repository, { tip: 'all', limit: 20 })
    expect(await all()).toEqual([])
    other.commit({ a: '1' })
    expect(await all()).toHaveLength(1)
    other.run(['checkout', '-q', '--orphan', 'other'])
    other.commit({ a: '2' })
    expect(await all()).toHaveLength(2)
    await sleep(150)
    await all()
    const before = fixture.git.spawnCount
    expect(await all()).toHaveLength(2)
    expect(fixture.git.spawnCount).toBe(before)
  })

  it('rejects invalid ids, and throws not_found for missing commits', async () => {
    await expect(titles({ tip: '--all' })).rejects.toMatchObject({ code: 'invalid' })
    await expect(titles({ tip: 'f'.repeat(40) })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('changed lines that take too long to count', () => {
  it('are left out, and not counted again', async () => {
    const page = { tip: side, limit: 20, withStats: true, statsTimeoutMs: 0.5 }
    const other = await openFixture()
    const list = () => listCommits(other.git, work.repository, page)
    const commits = await list()
    expect(commits.length).toBeGreaterThan(0)
    for (const commit of commits) expect(commit).not.toHaveProperty('stats')
    const before = other.git.spawnCount
    expect(await list()).toEqual(commits)
    expect(await commitStats(other.git, work.repository, side, 0.5)).toBeUndefined()
    expect(other.git.spawnCount).toBe(before)
    expect(await commitStats(other.git, work.repository, side)).toBeDefined()
    await other.close()
  })
})

describe('single commits', () => {
  it('are counted', async () => {
    const count = (query: object) =>
      countCommits(fixture.git, work.repository, { tip: merge, ...query })
    expect(await count({})).toBe(5)
    expect(await count({ path: 'dir' })).toBe(2)
    expect(await count({ tip: 'all' })).toBe(5)
    const before = fixture.git.spawnCount
    expect(await count({})).toBe(5)
    expect(fixture.git.spawnCount).toBe(before)
  })

  it('are found as the last to change a path', async () => {
    const { git } = fixture
    expect((await lastCommitFor(git, work.repository, merge, 'a.txt'))?.title).toBe('Second')
    expect(await lastCommitFor(git, work.repository, merge, 'nope')).toBeUndefined()
  })

  it('are read by full id only, and only when they are commits', async () => {
    const { git } = fixture
    const tree = work.run(['rev-parse', 'HEAD^{tree}'])
    expect((await readCommit(git, work.repository, merge))?.tree).toBe(tree)
    for (const oid of [tree, 'main', 'f'.repeat(40)]) {
      expect(await readCommit(git, work.repository, oid)).toBeUndefined()
    }
  })

  it('are read from annotated tags', async () => {
    work.run(['tag', '-a', '-m', 'Release', 'v1', side])
    const oid = work.run(['rev-parse', 'v1'])
    const tag = await readTag(fixture.git, work.repository, oid)
    expect(tag).toMatchObject({ name: 'v1', target: side, message: 'Release\n' })
    expect(await readTag(fixture.git, work.repository, side)).toBeUndefined()
  })

  it('have a merge base, or none', async () => {
    const { git } = fixture
    expect(await findMergeBase(git, work.repository, oids[2] ?? '', side)).toBe(oids[0])
    work.run(['checkout', '-q', '--orphan', 'alone'])
    const alone = work.commit({ z: 'z' })
    expect(await findMergeBase(git, work.repository, alone, side)).toBeUndefined()
    work.run(['checkout', '-q', 'main'])
  })
})
