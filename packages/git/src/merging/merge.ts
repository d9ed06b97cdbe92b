import { emptyTreeOid } from '../diffs/diff.ts'
import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import type { Commit } from '../parsing/commit-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { readCommit } from '../reading/text-object.ts'
import { addObjects, storeObjects } from '../writing/loose-objects.ts'
import { withScratch } from '../writing/scratch-objects.ts'
import { buildCommitObject, type Identity, identityOf } from '../writing/write.ts'
import { writeMergedTree } from './merge-tree.ts'

/** A commit to cherry-pick or revert on top of another. */
export interface Replay {
  /** Full id. The change of a merge is the one against its first parent. */
  commit: string
  /** Full id of the new commit's parent. */
  onto: string
  message: string
  /** Default: the author of the commit for a cherry-pick, the committer for a revert. */
  author?: Identity
  committer: Identity
}

/** The new commit, or why there is none: the change does not apply, or changes nothing. */
export type Replayed = { oid: string } | { oid?: undefined; refused: 'conflict' | 'empty' }

const timeoutMs = 30_000

/**
 * Cherry-picks a commit on top of another. No ref reaches the new commit yet, and nothing is
 * written if there is none. Costs at most one process.
 * @throws GitError `not_found` if one of the two is not a commit, `timeout` (30 s), `output_limit`.
 */
export async function cherryPickCommit(
  git: Git,
  repository: Repository,
  replay: Replay,
): Promise<Replayed> {
  const { commit, onto, before } = await readAll(git, repository, replay)
  const trees = { base: before, ours: onto.tree, theirs: commit.tree }
  const author = replay.author ?? identityOf(commit.author)
  return createReplayCommit(git, repository, { ...replay, author }, trees)
}

/** Reverts a commit on top of another; see `cherryPickCommit`. */
export async function revertCommit(
  git: Git,
  repository: Repository,
  replay: Replay,
): Promise<Replayed> {
  const { commit, onto, before } = await readAll(git, repository, replay)
  const trees = { base: commit.tree, ours: onto.tree, theirs: before }
  return createReplayCommit(git, repository, { author: replay.committer, ...replay }, trees)
}

/** Reads both commits, and the tree of the replayed commit's first parent. */
async function readAll(git: Git, repository: Repository, { commit: oid, onto }: Replay) {
  const need = async (id: string): Promise<Commit> => {
    if (!isOid(id)) throw new GitError('invalid', 'a full object id is required')
    const found = await readCommit(git, repository, id)
    if (!found) throw new GitError('not_found', `no commit ${id}`)
    return found
  }
  const commit = await need(oid)
  const [parent] = commit.parents
  const before = parent === undefined ? emptyTreeOid : (await need(parent)).tree
  return { commit, onto: await need(onto), before }
}

/** The ids of three trees: the changes from `base` to `theirs` are applied to `ours`. */
export interface Trees {
  base: string
  ours: string
  theirs: string
}

async function createReplayCommit(
  git: Git,
  repository: Repository,
  replay: Replay & { author: Identity },
  trees: Trees,
): Promise<Replayed> {
  const tree = await mergeTrees(git, repository, trees)
  if (tree === undefined) return { refused: 'conflict' }
  if (tree === trees.ours) return { refused: 'empty' }
  const commit = buildCommitObject(tree, [replay.onto], replay)
  await addObjects(git, repository, [commit])
  return { oid: commit.oid }
}

const nobody: Identity = { name: 'nobody', email: '', date: new Date(0) }

/**
 * Applies the changes from one tree to another; returns the id of the result, which is stored, or
 * undefined on a conflict. At most one process.
 */
export async function mergeTrees(
  git: Git,
  repository: Repository,
  { base, ours, theirs }: Trees,
): Promise<string | undefined> {
  if (theirs === base || theirs === ours) return ours
  if (ours === base) return theirs
  const read = () => mergeStored(git, repository, { base, ours, theirs })
  return readSlowly(git, repository, { key: `trees ${base} ${ours} ${theirs}`, read })
}

function mergeStored(
  git: Git,
  repository: Repository,
  { base, ours, theirs }: Trees,
): Promise<string | undefined> {
  return withScratch(repository, async (scratch) => {
    // Git before 2.40 can't be given the merge base, so it gets a history that has it.
    const words = { message: '', author: nobody }
    const root = buildCommitObject(base, [], words)
    const [one, other] = [ours, theirs].map((tree) => buildCommitObject(tree, [root.oid], words))
    if (!one || !other) return undefined
    await storeObjects(scratch.path, [root, one, other])
    const merge = { ours: one.oid, theirs: other.oid, timeoutMs }
    const tree = await writeMergedTree(git, repository, scratch, merge)
    if (tree !== undefined) await scratch.keep(new Set([root.oid, one.oid, other.oid]))
    return tree
  })
}
