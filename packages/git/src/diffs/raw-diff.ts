import type { Readable } from 'node:stream'
import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { type OutputOptions, openOutput } from '../reading/open-output.ts'
import { diffArgs, emptyTreeOid } from './diff.ts'
import { renameArgs } from './rename-args.ts'

/** What differs as one diff, or each commit as an e-mail that `git am` takes. */
export type RawDiffFormat = 'diff' | 'patch'

/** Two commits by full id; without the first one all that the second one has. */
export interface DiffedCommits {
  from: string | undefined
  to: string
}

/** Binary files are in it as well, so that it can be applied. */
const patchArgs = [
  ...['-c', 'core.bigFileThreshold=8m', 'format-patch', '--stdout', '--no-signature', '--binary'],
  ...[...renameArgs, '--full-index', '--no-color', '--no-ext-diff', '--no-textconv'],
]

/**
 * Streams the differences of two commits as git writes them, as `openOutput` does. Merges are no
 * patches: those of the commits that they bring are listed.
 * @throws GitError `invalid` for other names than full ids, besides its errors
 */
export async function openRawDiff(
  git: Git,
  repository: Repository,
  { from, to }: DiffedCommits,
  { format, ...options }: Omit<OutputOptions, 'key'> & { format: RawDiffFormat },
): Promise<Readable> {
  if (!isOid(from ?? to) || !isOid(to))
    throw new GitError('invalid', 'a full object id is required')
  const range = from === undefined ? ['--root', to] : [`${from}..${to}`]
  const args =
    format === 'patch'
      ? [...patchArgs, ...range, '--']
      : [...diffArgs, '-p', '--binary', from ?? emptyTreeOid, to, '--']
  return openOutput(git, repository, args, { ...options, key: `raw ${format} ${from} ${to}` })
}
