import { type Git, type Repository, runIn } from '../git.ts'
import { failureOf, GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { withScratch } from '../writing/scratch-objects.ts'

const limits = { timeoutMs: 15_000, maxOutputBytes: 16 * 1024 * 1024, limits: slowProcess }

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
  const read = () => tryMerge(git, repository, one, other)
  return readSlowly(git, repository, { key: `merge ${one} ${other}`, read })
}

async function tryMerge(
  git: Git,
  repository: Repository,
  one: string,
  other: string,
): Promise<boolean> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', one, other]
  const { code, stdout, stderr } = await withScratch(repository, ({ env }) =>
    runIn(git, repository, args, { ...limits, env, accept: [1, 128] }),
  )
  if (code === 0) return true
  // Git also prints the merged tree of a conflict.
  if (isOid(stdout.toString('latin1', 0, 40))) return false
  if (/unrelated histories/.test(stderr)) return false
  if (/not something we can merge/.test(stderr)) {
    throw new GitError('not_found', `no commit ${one} or ${other}`, stderr)
  }
  throw failureOf('git merge-tree', code, stderr)
}
