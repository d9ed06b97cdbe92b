/**
 * Why a git operation failed: `not_found` no such repository, object or ref; `conflict` a ref moved
 * or a path is taken; `invalid` the caller's value can never be accepted; `timeout`,
 * `output_limit`, `memory_limit` a limit was exceeded; `aborted` by the caller; `corrupt` an object is damaged; `missing_program`
 * git calls a program that is not installed; `failed` anything else.
 */
export type GitErrorCode =
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'timeout'
  | 'output_limit'
  | 'memory_limit'
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

const limitCodes: ReadonlySet<GitErrorCode> = new Set(['timeout', 'output_limit', 'memory_limit'])

/** Whether git was ended, or gave up, because it needed more than it may use. */
export function isLimit(error: unknown): error is GitError {
  return error instanceof GitError && limitCodes.has(error.code)
}

/** Whether a repository, object or ref is missing. */
export function isNotFound(error: unknown): error is GitError {
  return error instanceof GitError && error.code === 'not_found'
}

const patterns: [RegExp, GitErrorCode][] = [
  // First: what git says of an object that it had no memory for may say that it is corrupt.
  [/out of memory|cannot allocate memory|^fatal: attempting to allocate /im, 'memory_limit'],
  // Since git 2.43 (`core.maxTreeDepth`); before, its stack ends.
  [/exceeded maximum allowed tree depth/, 'memory_limit'],
  // SIGXCPU: a child of git exceeded its limit of processor time.
  [/died of signal 24$/m, 'timeout'],
  // EFBIG: a file is larger than it may be.
  [/: File too large$/m, 'output_limit'],
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
  // A branch of anything but a commit, and a ref to an object that doesn't exist.
  [/trying to write (?:non-commit object|ref )/, 'invalid'],
]

/** Converts a failed git process to a GitError, based on its stderr. */
export function failureOf(what: string, code: number | null, stderr: string): GitError {
  const kind = patterns.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'failed'
  const lastLine = stderr.trim().split('\n').at(-1) ?? ''
  return new GitError(kind, `${what} ended with ${code}${lastLine ? `: ${lastLine}` : ''}`, stderr)
}
