/**
 * Why a git operation failed: `not_found` no such repository, object or ref; `conflict` a ref moved
 * or a path is taken; `invalid` the caller's value can never be accepted; `timeout`, `output_limit`
 * a limit was exceeded; `aborted` by the caller; `corrupt` an object is damaged; `missing_program`
 * git calls a program that is not installed; `failed` anything else.
 */
export type GitErrorCode =
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'timeout'
  | 'output_limit'
  | 'aborted'
  | 'corrupt'
  | 'missing_program'
  | 'failed'

/**
 * The only error of this package. `stderr` is the end of git's stderr (at most 64 KiB), or empty.
 */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly code: GitErrorCode
  readonly stderr: string

  constructor(code: GitErrorCode, message: string, stderr = '') {
    super(message)
    this.code = code
    this.stderr = stderr
  }
}

const patterns: [RegExp, GitErrorCode][] = [
  [
    /not a git repository|does not appear to be a git repository|bad object|no such path|not a tree object|not a valid commit name/i,
    'not_found',
  ],
  [
    /is corrupt|unable to stream|hash mismatch|inflate: data stream error|unable to unpack/i,
    'corrupt',
  ],
  [/\bbzip2: (command )?not found|\bbzip2: No such file/i, 'missing_program'],
  [/cannot lock ref|reference already exists|but expected/i, 'conflict'],
]

/** Converts a failed git process to a GitError, based on its stderr. */
export function failureOf(what: string, code: number | null, stderr: string): GitError {
  const kind = patterns.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'failed'
  const lastLine = stderr.trim().split('\n').at(-1) ?? ''
  return new GitError(kind, `${what} ended with ${code}${lastLine ? `: ${lastLine}` : ''}`, stderr)
}
