import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildWork, type Fixture, openFixture, type Work } from '../testing/fixture.ts'
import { mergeBranch } from './merge-branch.ts'
import { rebaseBranch } from './rebase.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const paths = ['a', 'b', 'dir/c', 'dir/d']
const person = { name: 'Grace', email: 'grace@example.com' }

const kinds = ['edit', 'edit', 'edit', 'delete', 'rename', 'empty', 'pick', 'merge'] as const

/** A change of one file, by the line of it that changes; the few values make branches collide. */
interface Step {
  kind: (typeof kinds)[number]
  path: string
  line: number
  value: string
}

/** A linear congruential generator: the same numbers below a maximum for the same seed. */
function numbersOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function branchOf(below: (maximum: number) => number): Step[] {
  const oneOf = <T>(list: readonly T[]) => list[below(list.length)] as T
  return Array.from({ length: 1 + below(4) }, () => ({
    kind: oneOf(kinds),
    path: oneOf(paths),
    line: below(12),
    value: oneOf(['x', 'y']),
  }))
}

const textOf = (path: string, changes: ReadonlyMap<number, string>) =>
  Array.from({ length: 12 }, (_, n) => `${changes.get(n) ?? `${path} ${n}`}\n`).join('')

/** The files of a branch, by path: the changed lines of a file. */
type Files = Map<string, { of: string; changes: Map<number, string> }>

function tryGit(work: Work, ...args: string[]): boolean {
  try {
    work.run(args)
    return true
  } catch {
    return false
  }
}

/** Commits the steps to the current branch; `other` is the branch to pick and merge from. */
function play(work: Work, steps: readonly Step[], other: string | undefined): void {
  const files: Files = new Map(paths.map((path) => [path, { of: path, changes: new Map() }]))
  for (const [index, { kind, path, line, value }] of steps.entries()) {
    const message = `${kind} ${index}`
    const file = files.get(path)
    if (kind === 'empty') work.run(['commit', '-q', '--allow-empty', '-m', message])
    else if (kind === 'pick' && other !== undefined) {
      if (!tryGit(work, 'cherry-pick', other)) tryGit(work, 'cherry-pick', '--abort')
    } else if (kind === 'merge' && other !== undefined) {
      if (!tryGit(work, 'merge', '-q', '-m', message, `${other}~1`)) {
        tryGit(work, 'merge', '--abort')
      }
    } else if (file === undefined) continue
    else if (kind === 'delete') {
      files.delete(path)
      work.commit({ [path]: undefined }, message)
    } else if (kind === 'rename') {
      files.delete(path)
      files.set(`${path}.new`, file)
      work.commit({ [path]: undefined, [`${path}.new`]: textOf(file.of, file.changes) }, message)
    } else if (file.changes.get(line) !== value) {
      file.changes.set(line, value)
      work.commit({ [path]: textOf(file.of, file.changes) }, message)
    }
  }
}

/** Two branches, `main` and `topic`, from a common commit. */
function buildHistory(work: Work, ours: readonly Step[], theirs: readonly Step[]) {
  const base = work.commit(Object.fromEntries(paths.map((path) => [path, textOf(path, new Map())])))
  const plain = ours.filter(({ kind }) => kind !== 'pick' && kind !== 'merge')
  play(work, plain, undefined)
  const onto = work.run(['rev-parse', 'HEAD'])
  const other = onto === base ? undefined : onto
  work.run(['checkout', '-q', '-f', '-B', 'topic', base])
  play(work, theirs, other)
  return { onto, head: work.run(['rev-parse', 'HEAD']) }
}

const treeOf = (work: Work, rev: string) => work.run(['rev-parse', `${rev}^{tree}`])

/** The commits of a rebase: all that is the same whoever commits. */
const commitsOf = (work: Work, from: string, to: string) =>
  work.run(['log', '--topo-order', '--format=%an %ad %s %T', `${from}..${to}`])

it('merges, squashes and rebases random histories as git does in a work tree', async () => {
  const seen = { merged: 0, refused: 0, rebased: 0, stopped: 0 }
  const compare = async (ours: Step[], theirs: Step[]) => {
    const work = await buildWork(fixture)
    const { repository } = work
    const { onto, head } = buildHistory(work, ours, theirs)
    const words = { message: 'm', author: person }
    const ends = { target: onto, source: head }
    const merged = await mergeBranch(fixture.git, repository, { ...ends, merge: words })
    const squashed = await mergeBranch(fixture.git, repository, { ...ends, squash: words })
    work.run(['checkout', '-q', '-f', '-B', 'expected', onto])
    const isClean = tryGit(work, 'merge', '-q', '--no-ff', '-m', 'm', head)
    expect(merged.oid !== undefined).toBe(isClean)
    expect(squashed.oid !== undefined).toBe(isClean)
    seen[isClean ? 'merged' : 'refused'] += 1
    if (merged.oid !== undefined && squashed.oid !== undefined) {
      const expected = treeOf(work, 'HEAD')
      expect([treeOf(work, merged.oid), treeOf(work, squashed.oid)]).toEqual([expected, expected])
    } else tryGit(work, 'merge', '--abort')

    const limits = { maxCommits: 100, timeoutMs: 60_000 }
    const request = { head, onto, committer: person, limits }
    const rebased = await rebaseBranch(fixture.git, repository, request)
    work.run(['checkout', '-q', '-f', '-B', 'expected', head])
    const isRebased = tryGit(work, 'rebase', '-q', onto)
    expect(rebased.oid !== undefined).toBe(isRebased)
    seen[isRebased ? 'rebased' : 'stopped'] += 1
    if (rebased.oid !== undefined) {
      expect(commitsOf(work, onto, rebased.oid)).toBe(commitsOf(work, onto, 'HEAD'))
    } else tryGit(work, 'rebase', '--abort')
  }
  for (let seed = 1; seed <= 25; seed += 1) {
    const below = numbersOf(seed)
    await compare(branchOf(below), branchOf(below))
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
}, 120_000)
