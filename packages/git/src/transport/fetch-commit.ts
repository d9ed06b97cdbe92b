import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'

// The source may belong to another user of the machine, which git would refuse to read.
const uploadPack = "git -c safe.directory='*' upload-pack"

const flags = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
  `--upload-pack=${uploadPack}`,
]

/**
 * Fetches a commit with its history from another repository on this machine. No ref reaches it.
 * @throws GitError `not_found` if the source has no such commit, `timeout` (five minutes).
 */
export async function fetchCommit(
  git: Git,
  repository: Repository,
  source: Repository,
  oid: string,
): Promise<void> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is required')
  const args = ['fetch', ...flags, '--', source.path, oid]
  try {
    await runIn(git, repository, args, { timeoutMs: 300_000, maxOutputBytes: 1024 * 1024 })
  } catch (error) {
    if (
      !(error instanceof GitError) ||
      !/not our ref|couldn't find remote ref/.test(error.stderr)
    ) {
      throw error
    }
    throw new GitError('not_found', `no commit ${oid}`, error.stderr)
  }
}
