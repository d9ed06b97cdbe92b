import { emptyTreeOid } from '../diffs/diff.ts'
import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import type { Commit } from '../parsing/commit-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readCommit, readWholeCommit } from '../reading/text-object.ts'
import { addObjects } from '../writing/loose-objects.ts'
import { buildCommitObject, type Identity, identityOf } from '../writing/write.ts'
import { mergeTrees } from './merge.ts'

/** A branch to rebase. */
export interface Rebase {
  /** Full id of the tip of the branch. */
  head: string
  /** Full id of the commit to rebase it onto. */
  onto: string
  committer: Identity
  limits: RebaseLimits
}

export interface RebaseLimits {
  /** Commits that are applied again; each may take a process. */
  maxCommits: number
  timeoutMs: number
}

/** The new tip, the first commit that conflicts, or that there are more commits than the limit. */
export type Rebased =
  | { oid: string }
  | { oid?: undefined; conflict: string }
  | { oid?: undefined; isTooLong: true }

/**
 * Applies the commits of a branch again on top of another commit, as `git rebase` does: merges and
 * commits whose change is there already are left out, as are those that change nothing any more;
 * authors and their dates stay. No ref reaches the result yet. One process, and at most one for
 * each commit.
 * @throws GitError `not_found`, `timeout`, `memory_limit`, `output_limit`.
 */
export async function rebaseBranch(
  git: Git,
  repository: Repository,
  { head, onto, committer, limits }: Rebase,
): Promise<Rebased> {
  const deadline = performance.now() + limits.timeoutMs
  let tip = await needCommit(git, repository, onto)
  const commits = await listOwnCommits(git, repository, { head, onto }, limits.maxCommits)
  if (commits === undefined) return { isTooLong: true }
  for (const { oid, isKnown } of commits) {
    if (performance.now() > deadline) throw new GitError('timeout', 'the rebase took too long')
    const commit = await needCommit(git, repository, oid)
    const base = await treeBefore(git, repository, commit)
    // All empty commits have the same change; they were meant to be empty.
    if (isKnown && commit.tree !== base) continue
    const next = await applyCommit(git, repository, { commit, base, tip, committer })
    if (next === undefined) return { conflict: oid }
    tip = next
  }
  return { oid: tip.oid }
}

/** A commit to apply, and whether the other branch has a commit with the same change. */
interface OwnCommit {
  oid: string
  isKnown: boolean
}

/** The commits to apply, oldest first; undefined if there are more than the limit. */
async function listOwnCommits(
  git: Git,
  repository: Repository,
  { head, onto }: Pick<Rebase, 'head' | 'onto'>,
  maxCommits: number,
): Promise<OwnCommit[] | undefined> {
  const choice = ['--no-merges', '--right-only', '--cherry-mark']
  const order = ['--reverse', '--topo-order']
  const args = ['rev-list', ...choice, ...order, `${onto}...${head}`, '--']
  const options = { timeoutMs: 30_000, limits: slowProcess, maxOutputBytes: 42 * maxCommits }
  const result = await runIn(git, repository, args, options).catch((error: unknown) => {
    if (error instanceof GitError && error.code === 'output_limit') return undefined
    throw error
  })
  if (result === undefined) return undefined
  const lines = result.stdout.toString('latin1').split('\n').filter(Boolean)
  return lines.map((line) => ({ oid: line.slice(1), isKnown: line.startsWith('=') }))
}

async function needCommit(git: Git, repository: Repository, oid: string): Promise<Commit> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is required')
  const found = await readWholeCommit(git, repository, oid)
  if (found === undefined) throw new GitError('not_found', `no commit ${oid}`)
  return found
}

/** The tree of the commit's parent. */
async function treeBefore(
  git: Git,
  repository: Repository,
  { parents: [parent] }: Commit,
): Promise<string> {
  if (parent === undefined) return emptyTreeOid
  const found = await readCommit(git, repository, parent)
  if (found === undefined) throw new GitError('not_found', `no commit ${parent}`)
  return found.tree
}

/** A commit to apply on top of the tip; `base` is the tree of its parent. */
interface Application {
  commit: Commit
  base: string
  tip: Commit
  committer: Identity
}

/** The new tip; the old one if the commit changes nothing any more, undefined on a conflict. */
async function applyCommit(
  git: Git,
  repository: Repository,
  { commit, base, tip, committer }: Application,
): Promise<Commit | undefined> {
  if (commit.parents[0] === tip.oid) return commit
  const trees = { base, ours: tip.tree, theirs: commit.tree }
  const tree = await mergeTrees(git, repository, trees)
  if (tree === undefined) return undefined
  if (tree === tip.tree && commit.tree !== base) return tip
  const author = identityOf(commit.author)
  const words = { message: commit.message, author, committer }
  const made = buildCommitObject(tree, [tip.oid], words)
  await addObjects(git, repository, [made])
  return { ...commit, oid: made.oid, tree, parents: [tip.oid] }
}
