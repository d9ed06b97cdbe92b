import { GitError } from '../git-error.ts'

/** What git says of an object that is missing, in the history or the tree that it reads. */
const missingObject =
  /unable to read tree|unable to parse object|could not read|failed to traverse parents|revision walk setup failed|invalid symmetric difference/i

/** The error as `not_found` if git failed for an object that doesn't exist, or was pruned. */
export function withMissing(error: unknown): unknown {
  if (!(error instanceof GitError) || error.code !== 'failed') return error
  if (!missingObject.test(error.stderr)) return error
  return new GitError('not_found', error.message, error.stderr)
}
