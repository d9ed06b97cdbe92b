import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readCommit } from '../reading/text-object.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { rebaseBranch } from './rebase.ts'

let fixture: Fixture
let work: Work
let base: string

beforeAll(async () => {
  fixture = await openFixture()
})
beforeEach(async () => {
  work = await buildWork(fixture)
  base = work.commit({ a: '1\n' }, 'base')
})
afterAll(() => fixture.close())

const committer = { name: 'Lin', email: 'lin@example.com' }
const limits = { maxCommits: 5, timeoutMs: 300_000 }
const rebase = (head: string, onto: string) =>
  rebaseBranch(fixture.git, work.repository, { head, onto, committer, limits })

const checkout = (at: string) => work.run(['checkout', '-q', '-f', '-B', 'topic', at])
const subjects = (from: string, to: string) =>
  work.run(['log', '--reverse', '--format=%s', `${from}..${to}`]).split('\n')

describe('rebaseBranch', () => {
  it('applies commits again, and keeps their authors, dates and messages', async () => {
    const onto = work.commit({ b: '2' }, 'main')
    checkout(base)
    const head = work.commit({ c: '3' }, 'one\n\nbody')
    const { oid = '' } = await rebase(head, onto)
    const [before, after] = await Promise.all(
      [head, oid].map((id) => readCommit(fixture.git, work.repository, id)),
    )
    expect(after).toMatchObject({
      parents: [onto],
      author: before?.author,
      message: before?.message,
    })
    expect(after?.committer).toMatchObject(committer)
  })

  it('returns the same head if there is nothing to do, and the target if nothing is left', async () => {
    const head = work.commit({ c: '3' }, 'one')
    expect(await rebase(head, base)).toEqual({ oid: head })
    expect(await rebase(base, head)).toEqual({ oid: head })
    expect(await rebase(head, head)).toEqual({ oid: head })
  })

  it('drops what the target has already, and keeps commits that were empty', async () => {
    checkout(base)
    const picked = work.commit({ p: '1' }, 'picked')
    work.run(['commit', '-q', '--allow-empty', '-m', 'empty'])
    const head = work.commit({ q: '1', r: '1' }, 'kept')
    checkout(base)
    work.commit({ m: '1' }, 'main')
    work.run(['commit', '-q', '--allow-empty', '-m', 'empty, too'])
    work.run(['cherry-pick', picked])
    const onto = work.run(['rev-parse', 'HEAD'])
    const { oid = '' } = await rebase(head, onto)
    expect(subjects(onto, oid)).toEqual(['empty', 'kept'])
  })

  it('drops a commit whose change the target has by other commits', async () => {
    checkout(base)
    const head = work.commit({ p: '1', q: '1' }, 'both')
    checkout(base)
    work.commit({ p: '1' }, 'half')
    const onto = work.commit({ q: '1' }, 'other half')
    expect(await rebase(head, onto)).toEqual({ oid: onto })
  })

  it('flattens merges', async () => {
    checkout(base)
    work.commit({ p: '1' }, 'one')
    work.run(['checkout', '-q', '-b', 'side'])
    work.commit({ q: '1' }, 'side')
    work.run(['checkout', '-q', 'topic'])
    work.commit({ r: '1' }, 'two')
    work.run(['merge', '-q', '--no-ff', '-m', 'merge', 'side'])
    const head = work.run(['rev-parse', 'HEAD'])
    checkout(base)
    const onto = work.commit({ m: '1' }, 'main')
    const { oid = '' } = await rebase(head, onto)
    expect(subjects(onto, oid).toSorted()).toEqual(['one', 'side', 'two'])
    expect(work.run(['rev-list', '--merges', `${onto}..${oid}`])).toBe('')
  })

  it('names the first commit that conflicts', async () => {
    const onto = work.commit({ a: '2\n' }, 'main')
    checkout(base)
    work.commit({ b: '1' }, 'fine')
    const bad = work.commit({ a: '3\n' }, 'bad')
    const head = work.commit({ c: '1' }, 'later')
    expect(await rebase(head, onto)).toEqual({ conflict: bad })
  })

  it('applies a root commit, of another history', async () => {
    work.run(['checkout', '-q', '--orphan', 'other'])
    work.run(['rm', '-q', '-r', '-f', '.'])
    const head = work.commit({ z: '1' }, 'root')
    const { oid = '' } = await rebase(head, base)
    expect(work.run(['ls-tree', '--name-only', oid]).split('\n')).toEqual(['a', 'z'])
  })

  it('applies as many commits as its limit, and no more', async () => {
    const onto = work.commit({ m: '1' }, 'main')
    checkout(base)
    for (let count = 1; count < limits.maxCommits; count += 1) work.commit({}, `empty ${count}`)
    const allowed = work.commit({ a: '2\n' }, 'last')
    expect(await rebase(allowed, onto)).toEqual({ oid: expect.any(String) })
    const head = work.commit({}, 'one more')
    expect(await rebase(head, onto)).toEqual({ isTooLong: true })
  })
})
