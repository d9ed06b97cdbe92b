/** What the program ends with; `docs` and the README repeat this table. */
export const exitCodes = {
  ok: 0,
  /** The request failed, or anything else went wrong. */
  failed: 1,
  /** The command line cannot be understood. */
  usage: 2,
  /** Not signed in, or the token is not accepted (401). */
  unauthorized: 3,
  /** What was asked for is not there, or not visible (404). */
  notFound: 4,
  /** Signed in, but not allowed to (403). */
  forbidden: 5,
  /** The server gave no answer. */
  unreachable: 6,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const

/** An error of the program itself: one sentence for people, and what to end with. */
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
