import Sqlite from 'better-sqlite3'
import { fromSqliteError } from './sqlite-errors.ts'

/** An error of a thread of the database, as it is sent to the main thread. */
export interface ThreadError {
  message: string
  /** That of SQLite; undefined for another error. */
  code: string | undefined
}

/** Describes an error in the thread. */
export function describeError(error: unknown): ThreadError {
  const { message } = error as Error
  return { message, code: error instanceof Sqlite.SqliteError ? error.code : undefined }
}

/** The error that the same statement throws on a connection of the main thread. */
export function fromThreadError({ message, code }: ThreadError): unknown {
  const error = code === undefined ? new Error(message) : new Sqlite.SqliteError(message, code)
  return fromSqliteError(error)
}
