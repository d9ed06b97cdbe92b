import { renameSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readCommit } from '../reading/text-object.ts'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { readBlob } from '../trees/tree.ts'
import { cherryPickCommit, type Replay, type Replayed, revertCommit } from './merge.ts'

let fixture: Fixture
let work: Work

beforeAll(async () => {
  fixture = await openFixture()
})
beforeEach(async () => {
  work = await buildWork(fixture)
})
afterAll(() => fixture.close())

const committer = { name: 'Grace', email: 'grace@example.com' }
const lines = (changes: Record<number, string> = {}) =>
  Array.from({ length: 12 }, (_, index) => `${changes[index] ?? index}\n`).join('')

/** Checks out a branch, created at `at` if given. */
function checkout(branch: string, at?: string): void {
  work.run(['checkout', '-q', '-f', ...(at ? ['-B', branch, at] : [branch])])
}

async function pick(commit: string, onto: string): Promise<Replayed> {
  return cherryPickCommit(fixture.git, work.repository, {
    commit,
    onto,
    message: 'picked',
    committer,
  })
}

async function revert(commit: string, onto: string): Promise<Replayed> {
  return revertCommit(fixture.git, work.repository, { commit, onto, message: 'undo', committer })
}

function oidOf(replayed: Replayed): string {
  if (replayed.oid === undefined) throw new Error(replayed.refused)
  return replayed.oid
}

async function content(oid: string, path: string): Promise<string | undefined> {
  return (await readBlob(fixture.git, work.repository, oid, path))?.content.toString()
}

function objectCount(): string {
  return work.run(['count-objects', '-v']).split('\n').slice(0, 4).join()
}

/** A separate root commit, and a merge of it into the main branch. */
function buildMerge() {
  const main = work.commit({ 'a.txt': lines() }, 'main')
  const treeOf = (names: string[]) => {
    const blob = work.run(['hash-object', '-w', '--stdin'], 'i')
    return work.run(['mktree'], names.map((name) => `100644 blob ${blob}\t${name}\n`).join(''))
  }
  const root = work.run(['commit-tree', '-m', 'island', treeOf(['island.txt'])])
  const both = ['commit-tree', '-m', 'merge', '-p', main, '-p', root]
  const merge = work.run([...both, treeOf(['a.txt', 'island.txt'])])
  return { main, root, merge }
}

describe('cherryPickCommit', () => {
  it('applies a change to another branch, keeps its author, and leaves no unused objects', async () => {
    const start = work.commit({ 'a.txt': lines() }, 'start')
    const theirs = work.commit({ 'a.txt': lines({ 1: 'theirs' }), 'new.txt': 'n' }, 'theirs')
    checkout('ours', start)
    const ours = work.commit({ 'a.txt': lines({ 10: 'ours' }) }, 'ours')
    const oid = oidOf(await pick(theirs, ours))
    expect(await content(oid, 'a.txt')).toBe(lines({ 1: 'theirs', 10: 'ours' }))
    expect(await content(oid, 'new.txt')).toBe('n')
    const commit = await readCommit(fixture.git, work.repository, oid)
    const original = await readCommit(fixture.git, work.repository, theirs)
    expect(commit?.parents).toEqual([ours])
    expect(commit?.author).toEqual(original?.author)
    expect(commit?.committer).toMatchObject(committer)
    expect(commit?.message).toBe('picked')
    const expected = work.run(['cherry-pick', theirs]) && work.run(['rev-parse', 'HEAD^{tree}'])
    expect(commit?.tree).toBe(expected)
    expect(work.run(['fsck', '--strict', '--no-dangling'])).toBe('')
    const unreachable = work.run(['fsck', '--unreachable', '--no-progress'])
    expect(unreachable.match(/commit/g)).toEqual(['commit'])
    expect(work.run(['for-each-ref', '--format=%(refname)', 'refs/stithy'])).toBe('')
  })

  it('follows a renamed file', async () => {
    const start = work.commit({ 'old name.txt': lines() }, 'file')
    const change = work.commit({ 'old name.txt': lines({ 3: 'changed' }) }, 'change')
    checkout('renamed', start)
    work.run(['mv', 'old name.txt', 'moved.txt'])
    const onto = work.commit({}, 'rename')
    const oid = oidOf(await pick(change, onto))
    expect(await content(oid, 'moved.txt')).toBe(lines({ 3: 'changed' }))
  })

  it('picks a root commit, and a merge against its first parent', async () => {
    const { main, root, merge } = buildMerge()
    expect(await content(oidOf(await pick(root, main)), 'island.txt')).toBe('i')
    checkout('elsewhere', main)
    const other = work.commit({ 'other.txt': 'o' }, 'other')
    const picked = oidOf(await pick(merge, other))
    expect(await content(picked, 'island.txt')).toBe('i')
    expect(await content(picked, 'other.txt')).toBe('o')
    expect((await readCommit(fixture.git, work.repository, picked))?.parents).toEqual([other])
  })

  it('refuses conflicts and changes that are already applied, and writes nothing', async () => {
    const start = work.commit({ 'c.txt': lines() }, 'c')
    const theirs = work.commit({ 'c.txt': lines({ 5: 'theirs' }) }, 'theirs')
    checkout('conflicts', start)
    const ours = work.commit({ 'c.txt': lines({ 5: 'ours' }) }, 'ours')
    const before = objectCount()
    expect(await pick(theirs, ours)).toEqual({ refused: 'conflict' })
    expect(await pick(theirs, theirs)).toEqual({ refused: 'empty' })
    checkout('conflicts', start)
    const same = work.commit({ 'c.txt': lines({ 5: 'theirs' }), d: 'd' }, 'same and more')
    const after = objectCount()
    expect(await pick(theirs, same)).toEqual({ refused: 'empty' })
    expect(objectCount()).toBe(after)
    expect(after).not.toBe(before)
    expect(await pick(theirs, start)).toHaveProperty('oid')
  })

  it('rejects ids that are not commits', async () => {
    const tip = work.commit({ a: 'a' })
    const bad = ['-x', '--all', 'HEAD', '', '../x']
    for (const commit of bad) {
      await expect(pick(commit, tip)).rejects.toMatchObject({ code: 'invalid' })
      await expect(revert(tip, commit)).rejects.toMatchObject({ code: 'invalid' })
    }
    const tree = work.run(['rev-parse', 'HEAD^{tree}'])
    for (const commit of [tree, 'a'.repeat(40)]) {
      await expect(pick(commit, tip)).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})

describe('revertCommit', () => {
  it('reverts a change and keeps later ones', async () => {
    work.commit({ 'r.txt': lines() }, 'r')
    const wrong = work.commit({ 'r.txt': lines({ 1: 'wrong' }), 'wrong.txt': 'w' }, 'wrong')
    const later = work.commit({ 'r.txt': lines({ 1: 'wrong', 10: 'later' }) }, 'later')
    const oid = oidOf(await revert(wrong, later))
    expect(await content(oid, 'r.txt')).toBe(lines({ 10: 'later' }))
    expect(await content(oid, 'wrong.txt')).toBeUndefined()
    const commit = await readCommit(fixture.git, work.repository, oid)
    expect(commit).toMatchObject({ parents: [later], author: committer, committer })
    expect(await revert(wrong, oid)).toEqual({ refused: 'empty' })
  })

  it('reverts a root commit and a merge', async () => {
    const { main, root, merge } = buildMerge()
    const undone = oidOf(await revert(merge, merge))
    const commit = await readCommit(fixture.git, work.repository, undone)
    expect(commit?.tree).toBe(work.run(['rev-parse', `${main}^{tree}`]))
    expect(commit?.parents).toEqual([merge])
    const emptied = oidOf(await revert(root, root))
    expect((await readCommit(fixture.git, work.repository, emptied))?.tree).toBe(
      '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
    )
    expect(await pick(root, emptied)).toHaveProperty('oid')
  })

  it('works when the path of the repository has special characters', async () => {
    const odd = await openFixture()
    const folder = `${odd.folder}/a:b "c" \\d`
    const there = await buildWork(odd)
    const start = there.commit({ x: lines() }, 'x')
    const theirs = there.commit({ x: lines({ 1: 't' }) }, 't')
    there.run(['checkout', '-q', '-f', '-B', 'o', start])
    const onto = there.commit({ x: lines({ 9: 'o' }) }, 'o')
    renameSync(there.repository.path, folder)
    const replay: Replay = { commit: theirs, onto, message: 'm', committer }
    expect(await cherryPickCommit(odd.git, { path: folder }, replay)).toHaveProperty('oid')
    await odd.close()
  })
})
