/**
 * The reason for a database error, so that services can handle it: `full` no space left, `busy`
 * another process locks the database for too long, `aborted` a statement of the transaction failed
 * before, `nested` a transaction that would wait for itself, `closed` a handle used after its end,
 * `newer` the database was written by a newer program, `unavailable` no connection, `unique` and
 * `reference` a violated constraint, `shape` a query that breaks the rules of the shape cache.
 */
export type StoreErrorCode =
  | 'full'
  | 'busy'
  | 'aborted'
  | 'nested'
  | 'closed'
  | 'newer'
  | 'unavailable'
  | 'unique'
  | 'reference'
  | 'shape'

/** An error of the store; the driver's own error, if any, is its `cause`. */
export class StoreError extends Error {
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StoreError'
    this.code = code
  }
}

/** A row with these values exists already. */
export class UniqueViolationError extends StoreError {
  /** The table, if the driver reports it. */
  readonly table: string | undefined
  /** The columns of the violated key, in its order: `['usernameLower']`. */
  readonly columns: readonly string[]

  constructor(table: string | undefined, columns: readonly string[], cause: unknown) {
    super('unique', `A row with the same ${columns.join(', ')} is there already`, cause)
    this.name = 'UniqueViolationError'
    this.table = table
    this.columns = columns
  }
}

/** Whether the error is a `UniqueViolationError`, and of a key with `column` if given. */
export function isUniqueViolation(error: unknown, column?: string): error is UniqueViolationError {
  if (!(error instanceof UniqueViolationError)) return false
  return column === undefined || error.columns.includes(column)
}
