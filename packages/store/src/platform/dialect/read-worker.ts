import { parentPort, workerData } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { type ConnectionSetup, connect } from './connection.ts'
import { endThread } from './database-thread.ts'
import type { ReadAnswer, ReadRequest } from './read-threads.ts'
import { attachSearchFile } from './search-file.ts'
import { markDamagedSearchFile } from './search-file-check.ts'
import { describeError } from './thread-error.ts'
import { yieldToMainThread } from './thread-priority.ts'

yieldToMainThread('foreground')

const setup = workerData as ConnectionSetup
const connection = connect(setup, 'thread')
let hasSearchTables = false
/** Each takes some 50 KiB in each thread, and what is read here takes longer than to prepare it. */
const statements = new LRUCache<string, Sqlite.Statement<unknown[], unknown>>({ max: 20 })

parentPort?.on('message', (request: ReadRequest | typeof endThread) => {
  if (request === endThread) {
    connection.close()
    parentPort?.close()
  } else {
    parentPort?.postMessage(read(request))
  }
})

function read({ sql, values }: ReadRequest): ReadAnswer {
  const started = performance.now()
  try {
    const statement = statements.get(sql) ?? prepare(sql)
    statements.set(sql, statement)
    return { rows: statement.all(values), ms: performance.now() - started }
  } catch (error) {
    if (usesSearchTables(sql)) markDamagedSearchFile(setup.file, error)
    return { error: describeError(error) }
  }
}

/** Adds the search index once it is needed: without it, lists work on a disk that is full. */
function prepare(sql: string): Sqlite.Statement<unknown[], unknown> {
  if (!hasSearchTables && usesSearchTables(sql)) {
    attachSearchFile(connection, setup.file)
    hasSearchTables = true
  }
  return connection.prepare<unknown[], unknown>(sql)
}

function usesSearchTables(sql: string): boolean {
  return sql.includes('"search')
}
