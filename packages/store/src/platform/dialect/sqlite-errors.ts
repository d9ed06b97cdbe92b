import Sqlite from 'better-sqlite3'
import { StoreError, UniqueViolationError } from '../errors.ts'

/** Converts a SQLite error to the store's error; returns anything unknown unchanged. */
export function fromSqliteError(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error
  const { code, message } = error
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return uniqueViolation(error)
  }
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') {
    return new StoreError('reference', 'A foreign key references a row that does not exist', error)
  }
  if (code.startsWith('SQLITE_FULL')) {
    return new StoreError('full', 'The database has no space left', error)
  }
  if (isBusy(error))
    return new StoreError('busy', 'The database is locked by another process', error)
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
