import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { busyTimeout, type ConnectionSetup } from './connection.ts'
import { searchFileOf } from './search-file.ts'

/** A file of this name says that a statement found damage: to look for it takes reading everything. */
const mark = '.damaged'

/**
 * Removes the search index beside a database if it cannot be opened, or if a statement found it
 * damaged before; returns whether it did. No other process may have it open.
 */
export function removeDamagedSearchFile({ file, nativeBinding }: ConnectionSetup): boolean {
  const path = searchFileOf(file)
  const isMarked = existsSync(path + mark)
  if (!isMarked && (!existsSync(path) || canBeOpened(path, nativeBinding))) return false
  for (const suffix of ['', '-wal', '-shm', mark]) rmSync(path + suffix, { force: true })
  return true
}

/** Marks the search index if an error says that it is damaged: the next start makes it anew. */
export function markDamagedSearchFile(file: string, error: unknown): void {
  if (isDamage(error)) closeSync(openSync(searchFileOf(file) + mark, 'a'))
}

/** Reads the header and the schema, which also finds a file that was cut. */
function canBeOpened(path: string, nativeBinding: string | undefined): boolean {
  let connection: Sqlite.Database | undefined
  try {
    connection = new Sqlite(path, {
      timeout: busyTimeout,
      ...(nativeBinding === undefined ? {} : { nativeBinding }),
    })
    connection.prepare('select count(*) from "sqlite_master"').get()
    return true
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  } finally {
    connection?.close()
  }
}

const damages = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ']

function isDamage(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && damages.some((code) => error.code.startsWith(code))
}
