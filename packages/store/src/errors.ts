/**
 * What went wrong in the database, named so that services can act on it: `full` no space left,
 * `busy` another process holds the database too long, `aborted` a statement of the transaction
 * failed before, `nested` a wait for oneself, `closed` a handle used after its end, `newer` the
 * database was written by a newer program, `unavailable` no connection, `unique` and `reference` a
 * constraint, `shape` a query that breaks the rules of its cache.
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

/** An error of the store; the driver's own error, where there is one, is its `cause`. */
export class StoreError extends Error {
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StoreError'
    this.code = code
  }
}

/** A row with these values is there already. */
export class UniqueViolationError extends StoreError {
  /** The table, where the driver tells it. */
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

/** Whether the error is a `UniqueViolationError`, and of a key with this column if one is named. */
export function isUniqueViolation(error: unknown, column?: string): error is UniqueViolationError {
  if (!(error instanceof UniqueViolationError)) return false
  return column === undefined || error.columns.includes(column)
}
