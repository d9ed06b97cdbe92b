import { GitError } from '../git-error.ts'

/** Which files of a commit are searched: those of any of both; all if both are absent. */
export interface SearchedPaths {
  /** Files, and folders with everything below. Names with U+FFFD for invalid UTF-8 match nothing. */
  paths?: readonly string[]
  /**
   * Patterns for whole paths: `*`, `?` and `[…]` match within a name, `**` matches folders. All of
   * a folder that is matched is searched.
   */
  globs?: readonly string[]
}

/** What Linux allows for all arguments together is 2 MiB. */
const maxBytes = 1024 * 1024

/** Whether git would read a path as it is: it refuses `..` and `/x`, and reads `a//b` as `a/b`. */
function isPlain(path: string): boolean {
  const names = path.split('/')
  if (names.length > 1 && names.at(-1) === '') names.pop()
  return !path.includes('\0') && !names.some((name) => ['', '.', '..'].includes(name))
}

/**
 * The arguments after `--`, with their magic spelled out, which takes `GIT_LITERAL_PATHSPECS=0`.
 * Undefined if no file can match.
 * @throws GitError `invalid` for over 1 MiB.
 */
export function pathspecsOf({ paths, globs }: SearchedPaths): string[] | undefined {
  if (!paths && !globs) return []
  const pathspecs = [
    ...(paths ?? []).filter(isPlain).map((path) => `:(top,literal)${path}`),
    ...(globs ?? []).filter(isPlain).map((glob) => `:(top,glob)${glob}`),
  ]
  const bytes = pathspecs.reduce((sum, pathspec) => sum + Buffer.byteLength(pathspec) + 1, 0)
  if (bytes > maxBytes) throw new GitError('invalid', 'too many paths')
  return pathspecs.length === 0 ? undefined : pathspecs
}
