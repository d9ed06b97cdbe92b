import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mergesCleanly } from '../merging/merge-check.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { findMergeOf, isAncestor, listRange, listRangeIds } from './ancestry.ts'

let fixture: Fixture
let work: Work
let root: string

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  work = await buildWork(fixture)
  root = work.commit({ 'a.txt': 'one\n' }, 'root')
})

const missing = 'e'.repeat(40)
const checkout = (branch: string, at: string) =>
  work.run(['checkout', '-q', '-f', '-B', branch, at])

/** Merges a commit into HEAD with a merge commit. */
function merge(oid: string): string {
  const env = { GIT_COMMITTER_DATE: '1600000000 +0000', GIT_AUTHOR_DATE: '1600000000 +0000' }
  work.run(['merge', '-q', '--no-ff', '-m', 'merge', oid], '', env)
  return work.run(['rev-parse', 'HEAD'])
}

/** A branch `long` of so many commits, as commands of fast-import. */
function longHistory(commits: number): string {
  const lines = Array.from({ length: commits }, (_, index) => [
    'commit refs/heads/long',
    `committer A <a@b> ${1_600_000_000 + index} +0000`,
    'data 1',
    'x',
    '',
  ])
  return lines.flat().join('\n')
}

describe('listRange', () => {
  const list = (query: Parameters<typeof listRange>[2]) =>
    listRange(fixture.git, work.repository, query)

  it('lists ids and truncated titles, newest first', async () => {
    const long = work.commit({}, `${'é'.repeat(80)}\n\nWIP body`)
    const broken = work.commit({}, 'one line\nand another')
    const found = await list({ tip: broken, notReachableFrom: root, limit: 10 })
    expect(found.map(({ oid }) => oid)).toEqual([broken, long])
    expect(found[0]?.title).toBe('one line and another')
    expect(found[1]?.title).toMatch(/^é{58}\.\.$/)
    expect(await list({ tip: broken, limit: 1 })).toHaveLength(1)
    expect(await list({ tip: root, notReachableFrom: broken, limit: 5 })).toEqual([])
  })

  it('rejects invalid ids, and throws not_found for missing commits', async () => {
    for (const tip of ['--all', 'main', 'HEAD', '']) {
      await expect(list({ tip, limit: 1 })).rejects.toMatchObject({ code: 'invalid' })
    }
    await expect(list({ tip: missing, limit: 1 })).rejects.toMatchObject({ code: 'not_found' })
    const query = { tip: root, notReachableFrom: missing, limit: 1 }
    await expect(list(query)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('listRangeIds', () => {
  const list = (query: Parameters<typeof listRangeIds>[2]) =>
    listRangeIds(fixture.git, work.repository, query)

  it('lists what git lists, without a process if the ends are close', async () => {
    const left = work.commit({ 'b.txt': 'b' }, 'left')
    checkout('side', root)
    const side = [work.commit({ 'c.txt': 'c' }, 'one'), work.commit({ 'c.txt': 'd' }, 'two')]
    checkout('main', left)
    const tip = merge(side[1] ?? '')
    const ask = ['rev-list', tip, `^${left}`]
    // The first read starts the repository's reader of objects.
    await list({ tip, notReachableFrom: left, limit: 10 })
    const before = fixture.git.spawnCount
    const found = await list({ tip, notReachableFrom: left, limit: 10 })
    expect(found).toEqual(work.run(ask).split('\n'))
    expect(found).toEqual([tip, side[1], side[0]])
    expect(await list({ tip, notReachableFrom: left, limit: 1 })).toEqual([tip])
    expect(await list({ tip: left, notReachableFrom: tip, limit: 5 })).toEqual([])
    expect(fixture.git.spawnCount).toBe(before)
  })

  it('lists long ranges and whole histories as well', async () => {
    work.run(['fast-import', '--quiet'], longHistory(600))
    const tip = work.run(['rev-parse', 'long'])
    const all = work.run(['rev-list', 'long']).split('\n')
    expect(await list({ tip, limit: 1000 })).toEqual(all)
    expect(await list({ tip, notReachableFrom: all[500] ?? '', limit: 400 })).toEqual(
      all.slice(0, 400),
    )
  })

  it('rejects invalid ids, and throws not_found for missing commits', async () => {
    await expect(list({ tip: '--all', limit: 1 })).rejects.toMatchObject({ code: 'invalid' })
    const query = { tip: root, notReachableFrom: missing, limit: 1 }
    await expect(list(query)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('isAncestor', () => {
  const ask = (one: string, other: string) => isAncestor(fixture.git, work.repository, one, other)

  it('distinguishes ancestors from descendants', async () => {
    const next = work.commit({}, 'next')
    expect(await ask(root, next)).toBe(true)
    expect(await ask(next, next)).toBe(true)
    expect(await ask(next, root)).toBe(false)
    work.run(['fast-import', '--quiet'], longHistory(300))
    const [tip = '', ...others] = work.run(['rev-list', 'long']).split('\n')
    const first = others.at(-1) ?? ''
    expect([await ask(first, tip), await ask(tip, first)]).toEqual([true, false])
    expect([await ask(root, tip), await ask(tip, root)]).toEqual([false, false])
  })

  it('rejects invalid ids, and throws not_found for missing commits', async () => {
    await expect(ask('--all', root)).rejects.toMatchObject({ code: 'invalid' })
    await expect(ask(root, 'main')).rejects.toMatchObject({ code: 'invalid' })
    await expect(ask(root, missing)).rejects.toMatchObject({ code: 'not_found' })
    await expect(ask(missing, root)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('findMergeOf', () => {
  const find = (commit: string, tip: string, before?: string) =>
    findMergeOf(fixture.git, work.repository, {
      commit,
      tip,
      ...(before === undefined ? {} : { before }),
    })

  it('finds the merge that introduced a commit', async () => {
    checkout('topic', root)
    const first = work.commit({ 'b.txt': 'b\n' }, 'first')
    const second = work.commit({ 'b.txt': 'c\n' }, 'second')
    checkout('main', root)
    work.commit({ 'c.txt': '1\n' }, 'between')
    const one = merge(first)
    const early = work.commit({ 'c.txt': '2\n' }, 'between')
    const two = merge(second)
    const tip = work.commit({ 'c.txt': '3\n' }, 'after')
    expect(await find(first, tip)).toBe(one)
    expect(await find(second, tip)).toBe(two)
    expect(await find(second, tip, early)).toBe(two)
    expect(await find(second, tip, root)).toBe(two)
  })

  it('finds a first parent itself, and returns undefined if there is none', async () => {
    const next = work.commit({}, 'next')
    const last = work.commit({}, 'last')
    expect(await find(next, last, root)).toBe(next)
    expect(await find(last, last, next)).toBe(last)
    expect(await find(last, next)).toBeUndefined()
    expect(await find(last, root, root)).toBeUndefined()
  })
})

describe('mergesCleanly', () => {
  const ask = (one: string, other: string) =>
    mergesCleanly(fixture.git, work.repository, one, other)

  it('detects conflicts, and leaves no object', async () => {
    checkout('topic', root)
    const topic = work.commit({ 'a.txt': 'two\n' }, 'topic')
    checkout('main', root)
    const clean = work.commit({ 'b.txt': 'b\n' }, 'clean')
    const clash = work.commit({ 'a.txt': 'three\n' }, 'clash')
    const before = work.run(['count-objects', '-v'])
    expect(await ask(clean, topic)).toBe(true)
    expect(await ask(clash, topic)).toBe(false)
    expect(await ask(root, topic)).toBe(true)
    expect(work.run(['count-objects', '-v'])).toBe(before)
  })

  it('does not merge unrelated histories', async () => {
    const island = work.run(['commit-tree', '-m', 'island', `${root}^{tree}`])
    expect(await ask(root, island)).toBe(false)
  })

  it('rejects invalid ids, and throws not_found for missing commits', async () => {
    await expect(ask('--all', root)).rejects.toMatchObject({ code: 'invalid' })
    await expect(ask(root, 'main')).rejects.toMatchObject({ code: 'invalid' })
    await expect(ask(root, missing)).rejects.toMatchObject({ code: 'not_found' })
  })
})
