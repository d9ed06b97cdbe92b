import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'

/** Commits by full id; missing ones are ignored. */
export interface NewCommitsQuery {
  tips: readonly string[]
  /** Commits reachable from these are not new. Any number. */
  known: readonly string[]
  limit: number
}

/**
 * Lists the newest commits, at most `limit`, that are reachable from one of the tips but not from a
 * known commit; newest first, by full id.
 * @throws GitError `timeout` (60 s), `invalid` for an invalid id.
 */
export async function listNewCommits(
  git: Git,
  repository: Repository,
  { tips, known, limit }: NewCommitsQuery,
): Promise<string[]> {
  if (![...tips, ...known].every(isOid)) {
    throw new GitError('invalid', 'a full object id is required')
  }
  const args = ['rev-list', `--max-count=${Math.floor(limit)}`, '--ignore-missing', '--stdin']
  const stdin = [...tips, ...known.map((oid) => `^${oid}`), ''].join('\n')
  const { stdout } = await runIn(git, repository, args, { stdin })
  return stdout.toString().split('\n').filter(Boolean)
}
