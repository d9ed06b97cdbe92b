import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isAncestor } from '../history/ancestry.ts'
import { isOid } from '../reading/object-reader.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { addObjects, type NewObject } from '../writing/loose-objects.ts'
import { withScratch } from '../writing/scratch-objects.ts'
import { buildCommitObject, type CommitMetadata } from '../writing/write.ts'
import { forwardedTree, writeMergedTree } from './merge-tree.ts'

/** A branch to merge into another. */
export interface BranchMerge {
  /** Full id of the tip of the branch to merge into. */
  target: string
  /** Full id of the tip of the branch to merge. */
  source: string
  /** The commit that replaces those of the source; absent: they are merged as they are. */
  squash?: CommitMetadata
  /** The merge commit; absent: the target is fast-forwarded. */
  merge?: CommitMetadata
}

/** The commit that the target moves to, or that there is none because of a conflict. */
export type BranchMerged =
  | { oid: string; mergeCommit: string | null }
  | { oid?: undefined; refused: 'conflict' }

const timeoutMs = 30_000

/**
 * Creates the commits of a merge; no ref reaches them yet, and on a conflict nothing is written.
 * A fast-forward that the target's own commits prevent is a conflict, too. At most one process,
 * and one for the check of a fast-forward.
 * @throws GitError `not_found` if one of the two is missing, `timeout` (30 s), `output_limit`,
 * `memory_limit`.
 */
export async function mergeBranch(
  git: Git,
  repository: Repository,
  plan: BranchMerge,
): Promise<BranchMerged> {
  const { target, source, squash, merge } = plan
  if (!isOid(target) || !isOid(source)) {
    throw new GitError('invalid', 'a full object id is required')
  }
  if (squash === undefined && merge === undefined) {
    const isForward = await isAncestor(git, repository, target, source)
    return isForward ? { oid: source, mergeCommit: null } : { refused: 'conflict' }
  }
  const tree = await mergeCommits(git, repository, target, source)
  if (tree === undefined) return { refused: 'conflict' }
  const commits: NewObject[] = []
  let oid = source
  for (const words of [squash, merge]) {
    if (words === undefined) continue
    const parents = words === squash ? [target] : [target, oid]
    const commit = buildCommitObject(tree, parents, words)
    commits.push(commit)
    oid = commit.oid
  }
  await addObjects(git, repository, commits)
  return { oid, mergeCommit: merge === undefined ? null : oid }
}

/**
 * The merged tree, stored; undefined on a conflict. A merge that took too long is not tried again
 * for a while, and few run at a time.
 */
async function mergeCommits(
  git: Git,
  repository: Repository,
  ours: string,
  theirs: string,
): Promise<string | undefined> {
  const merge = { ours, theirs, timeoutMs }
  const forwarded = await forwardedTree(git, repository, merge)
  if (forwarded !== undefined) return forwarded
  const read = () =>
    withScratch(repository, async (scratch) => {
      const tree = await writeMergedTree(git, repository, scratch, merge)
      if (tree !== undefined) await scratch.keep(new Set())
      return tree
    })
  return readSlowly(git, repository, { key: `merged ${ours} ${theirs}`, read })
}
