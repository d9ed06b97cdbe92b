/** Exit codes; the README repeats this table. */
export const exitCodes = {
  ok: 0,
  /** The request failed, or anything else went wrong. */
  failed: 1,
  /** Invalid command line. */
  usage: 2,
  /** Not signed in, or the token is rejected (401). */
  unauthorized: 3,
  /** Not found, or not visible (404). */
  notFound: 4,
  /** Signed in, but not allowed (403). */
  forbidden: 5,
  /** The server did not respond. */
  unreachable: 6,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
} as const

/** An error of the program itself: a one-sentence message and the exit code. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.name = 'CliError'
    this.exitCode = exitCode
  }
}

/** The command line is wrong. */
export function usageError(message: string): CliError {
  return new CliError(message, exitCodes.usage)
}
