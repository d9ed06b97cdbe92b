import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'

/** Commits by full id; those that are gone count as not named. */
export interface NewCommitsQuery {
  tips: readonly string[]
  /** What is reachable from these is not new. Any number. */
  known: readonly string[]
  limit: number
}

/**
 * The newest commits, at most `limit`, that are reachable from one of the tips and from nothing that is known;
 * newest first, by full id. Throws GitError `timeout` (60 s), `invalid` for what is no id.
 */
export async function listNewCommits(
  git: Git,
  repository: Repository,
  { tips, known, limit }: NewCommitsQuery,
): Promise<string[]> {
  if (![...tips, ...known].every(isOid)) {
    throw new GitError('invalid', 'a full object id is needed')
  }
  const args = ['rev-list', `--max-count=${Math.floor(limit)}`, '--ignore-missing', '--stdin']
  const stdin = [...tips, ...known.map((oid) => `^${oid}`), ''].join('\n')
  const { stdout } = await runIn(git, repository, args, { stdin })
  return stdout.toString().split('\n').filter(Boolean)
}
