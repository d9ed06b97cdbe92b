import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readCommit } from '../reading/text-object.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { type BranchMerge, mergeBranch } from './merge-branch.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
})
beforeEach(async () => {
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

/** With a date: a commit of the same content in another second has another id. */
const author = { name: 'Grace', email: 'grace@example.com', date: new Date('2026-01-02T03:04:05Z') }
const words = { message: 'm', author }
const merge = (plan: BranchMerge) => mergeBranch(fixture.git, work.repository, plan)

/** Two branches with a common commit; undefined removes a file. */
function diverge(
  base: Record<string, string | Buffer>,
  ours: Record<string, string | Buffer | undefined>,
  theirs: Record<string, string | Buffer | undefined>,
): { target: string; source: string } {
  const root = work.commit(base)
  const target = work.commit(ours)
  work.run(['checkout', '-q', '-f', '-B', 'topic', root])
  return { target, source: work.commit(theirs) }
}

const objectCount = () => work.run(['count-objects', '-v']).split('\n')[0]

describe('mergeBranch', () => {
  it('starts one process for concurrent merges of the same commits', async () => {
    const ends = diverge({ a: '1' }, { b: '2' }, { c: '3' })
    await merge({ ...ends, merge: words })
    const before = fixture.git.spawnCount
    const made = await Promise.all([1, 2, 3].map(() => merge({ ...ends, merge: words })))
    expect(new Set(made.map(({ oid }) => oid)).size).toBe(1)
    expect(fixture.git.spawnCount - before).toBe(1)
  })

  it('creates a merge commit', async () => {
    const ends = diverge({ a: '1' }, { b: '2' }, { c: '3' })
    const made = await merge({ ...ends, merge: words })
    expect(made).toEqual({ oid: expect.any(String), mergeCommit: made.oid })
    const commit = await readCommit(fixture.git, work.repository, made.oid ?? '')
    expect(commit?.parents).toEqual([ends.target, ends.source])
    expect(work.run(['ls-tree', '--name-only', made.oid ?? '']).split('\n')).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(work.run(['fsck', '--strict', made.oid ?? ''])).not.toContain('missing')
  })

  it('fast-forwards, unless the target has commits of its own', async () => {
    const target = work.commit({ a: '1' })
    const source = work.commit({ a: '2' })
    expect(await merge({ target, source })).toEqual({ oid: source, mergeCommit: null })
    const ends = diverge({ a: '1' }, { b: '2' }, { c: '3' })
    expect(await merge(ends)).toEqual({ refused: 'conflict' })
  })

  it('squashes onto the target, with and without a merge commit', async () => {
    const ends = diverge({ a: '1' }, { b: '2' }, { c: '3' })
    const squashed = await merge({ ...ends, squash: words })
    const one = await readCommit(fixture.git, work.repository, squashed.oid ?? '')
    expect(one?.parents).toEqual([ends.target])
    const both = await merge({ ...ends, squash: words, merge: { ...words, message: 'n' } })
    const two = await readCommit(fixture.git, work.repository, both.oid ?? '')
    expect(two).toMatchObject({ parents: [ends.target, squashed.oid], tree: one?.tree })
  })

  it.each<[string, Parameters<typeof diverge>]>([
    ['texts', [{ a: '1' }, { a: '2' }, { a: '3' }]],
    [
      'binary files',
      [{ a: Buffer.from([0, 1]) }, { a: Buffer.from([0, 2]) }, { a: Buffer.from([0, 3]) }],
    ],
    ['a change and a deletion', [{ a: '1' }, { a: '2' }, { a: undefined }]],
    [
      'a rename and a deletion',
      [
        { a: 'long enough\nto be\na rename\n' },
        { a: undefined },
        {
          a: undefined,
          b: 'long enough\nto be\na renamed\n',
        },
      ],
    ],
    ['two additions', [{ a: '1' }, { b: '2' }, { b: '3' }]],
    ['a file and a folder', [{ a: '1' }, { b: '2' }, { 'b/c': '3' }]],
  ])('refuses a conflict of %s, and writes nothing', async (_, histories) => {
    const ends = diverge(...histories)
    const before = objectCount()
    for (const plan of [{ merge: words }, { squash: words }]) {
      expect(await merge({ ...ends, ...plan })).toEqual({ refused: 'conflict' })
    }
    expect(objectCount()).toBe(before)
  })

  it('refuses unrelated histories, and submodules at different commits', async () => {
    const one = work.commit({ a: '1' })
    work.run(['checkout', '-q', '--orphan', 'other'])
    const other = work.commit({ b: '1' })
    expect(await merge({ target: one, source: other, merge: words })).toEqual({
      refused: 'conflict',
    })
    const commitOf = (name: string, parents: string[]) => {
      const tree = work.run(['mktree', '--missing'], `160000 commit ${name.repeat(40)}\tsub\n`)
      const args = parents.flatMap((parent) => ['-p', parent])
      return work.run(['commit-tree', tree, '-m', name, ...args])
    }
    const base = commitOf('a', [])
    const ends = { target: commitOf('b', [base]), source: commitOf('c', [base]) }
    expect(await merge({ ...ends, merge: words })).toEqual({ refused: 'conflict' })
  })

  it('keeps files that differ in case only', async () => {
    const ends = diverge({ a: '1' }, { A: '2' }, { b: '3' })
    const { oid } = await merge({ ...ends, merge: words })
    expect(work.run(['ls-tree', '--name-only', oid ?? '']).split('\n')).toEqual(['A', 'a', 'b'])
  })

  it('merges what changes nothing', async () => {
    const target = work.commit({ a: '1' })
    work.commit({ a: '2' })
    const source = work.commit({ a: '1' })
    const { oid } = await merge({ target, source, merge: words })
    expect(work.run(['diff', '--name-only', target, oid ?? ''])).toBe('')
  })

  it('fails for a commit that does not exist', async () => {
    const target = work.commit({ a: '1' })
    const missing = merge({ target, source: 'f'.repeat(40), merge: words })
    await expect(missing).rejects.toMatchObject({ code: 'not_found' })
    await expect(merge({ target, source: 'main' })).rejects.toMatchObject({ code: 'invalid' })
  })
})
