import { existsSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { busyTimeout, type ConnectionSetup } from './connection.ts'
import { searchFileOf } from './search-file.ts'

/**
 * Removes the search index beside a database if it is damaged; returns whether it was. The time is
 * that of reading the file once. No other process may have it open.
 */
export function removeDamagedSearchFile({ file, nativeBinding }: ConnectionSetup): boolean {
  const path = searchFileOf(file)
  if (!existsSync(path) || isSound(path, nativeBinding)) return false
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  return true
}

function isSound(path: string, nativeBinding: string | undefined): boolean {
  let connection: Sqlite.Database | undefined
  try {
    connection = new Sqlite(path, {
      timeout: busyTimeout,
      ...(nativeBinding === undefined ? {} : { nativeBinding }),
    })
    return connection.pragma('quick_check(1)', { simple: true }) === 'ok'
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
