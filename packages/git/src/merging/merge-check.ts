import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { withScratch } from '../writing/scratch-objects.ts'
import { forwardedTree, writeMergedTree } from './merge-tree.ts'

const timeoutMs = 15_000

/**
 * Whether two commits, by full id, can be merged without a conflict; unrelated histories can't.
 * Leaves no objects behind.
 * @throws GitError `not_found` if one is missing, `timeout` (15 s), `output_limit`,
 * `memory_limit`.
 */
export async function mergesCleanly(
  git: Git,
  repository: Repository,
  one: string,
  other: string,
): Promise<boolean> {
  if (!isOid(one) || !isOid(other)) throw new GitError('invalid', 'a full object id is required')
  const read = async () => {
    const merge = { ours: one, theirs: other, timeoutMs }
    if ((await forwardedTree(git, repository, merge)) !== undefined) return true
    const tree = await withScratch(repository, (scratch) =>
      writeMergedTree(git, repository, scratch, merge),
    )
    return tree !== undefined
  }
  return readSlowly(git, repository, { key: `merge ${one} ${other}`, read })
}
