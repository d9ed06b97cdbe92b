import { type Git, type Repository, runIn } from '../git.ts'
import { failureOf, GitError } from '../git-error.ts'
import { isCloseAncestor } from '../history/ancestry.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readCommit } from '../reading/text-object.ts'
import type { Scratch } from '../writing/scratch-objects.ts'

const flags = ['--write-tree', '-z', '--name-only', '--no-messages']

/** Two commits to merge, by full id, and the milliseconds that git may take. */
export interface TreeMerge {
  ours: string
  theirs: string
  timeoutMs: number
}

/**
 * The id of the merged tree where no merge is needed, since `theirs` has all commits of `ours` and
 * few more; else undefined. No process.
 */
export async function forwardedTree(
  git: Git,
  repository: Repository,
  { ours, theirs }: Pick<TreeMerge, 'ours' | 'theirs'>,
): Promise<string | undefined> {
  const isForward = await isCloseAncestor(git, repository, ours, theirs)
  return isForward ? (await readCommit(git, repository, theirs))?.tree : undefined
}

/**
 * Merges two commits, writes the resulting tree into the scratch and returns its id; undefined on
 * a conflict, and for unrelated histories. One process.
 * @throws GitError `not_found` if one is missing, `timeout`, `output_limit`, `memory_limit`.
 */
export async function writeMergedTree(
  git: Git,
  repository: Repository,
  { env }: Pick<Scratch, 'env'>,
  { ours, theirs, timeoutMs }: TreeMerge,
): Promise<string | undefined> {
  const limits = { timeoutMs, maxOutputBytes: 16 * 1024 * 1024, limits: slowProcess }
  const args = ['merge-tree', ...flags, ours, theirs]
  const options = { ...limits, env, accept: [1, 128] }
  const { code, stdout, stderr } = await runIn(git, repository, args, options)
  const tree = stdout.toString('latin1', 0, 40)
  if (code === 0) return tree
  // Git also prints the merged tree of a conflict.
  if (isOid(tree) || /unrelated histories/.test(stderr)) return undefined
  if (/not something we can merge/.test(stderr)) {
    throw new GitError('not_found', `no commit ${ours} or ${theirs}`, stderr)
  }
  throw failureOf('git merge-tree', code, stderr)
}
