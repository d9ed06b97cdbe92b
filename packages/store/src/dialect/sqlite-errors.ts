import Sqlite from 'better-sqlite3'
import { StoreError, UniqueViolationError } from '../errors.ts'

/** The store's error for one of SQLite's; anything unknown is answered as it is. */
export function fromSqliteError(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error
  const { code, message } = error
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return uniqueViolation(error)
  }
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') {
    return new StoreError('reference', 'A row that this one names is not there', error)
  }
  if (code.startsWith('SQLITE_FULL')) {
    return new StoreError('full', 'The database has no space left', error)
  }
  if (isBusy(error)) return new StoreError('busy', 'The database is held by another process', error)
  return code.startsWith('SQLITE_CANTOPEN') ? new StoreError('unavailable', message, error) : error
}

export function isBusy(error: unknown): boolean {
  return (
    error instanceof Sqlite.SqliteError &&
    (error.code.startsWith('SQLITE_BUSY') || error.code.startsWith('SQLITE_LOCKED'))
  )
}

/** `UNIQUE constraint failed: users.usernameLower, users.state` */
function uniqueViolation(error: Error): UniqueViolationError {
  const names = error.message.slice(error.message.indexOf(': ') + 2).split(', ')
  const table = names[0]?.split('.')[0]
  return new UniqueViolationError(
    table,
    names.map((name) => name.slice(name.indexOf('.') + 1)),
    error,
  )
}
