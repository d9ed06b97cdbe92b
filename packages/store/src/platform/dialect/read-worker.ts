import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { type ConnectionSetup, connect } from './connection.ts'
import { endThread } from './database-thread.ts'
import type { ReadAnswer, ReadRequest } from './read-threads.ts'

/** Where there are more threads than cores, the main thread goes first. */
const niceness = 5

// Elsewhere this would be the priority of the whole process. Only root may raise one that is lower.
if (process.platform === 'linux' && getPriority() < niceness) setPriority(niceness)

const connection = connect(workerData as ConnectionSetup, 'thread')
const statements = new LRUCache<string, Sqlite.Statement<unknown[], unknown>>({ max: 200 })

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
    const statement = statements.get(sql) ?? connection.prepare<unknown[], unknown>(sql)
    statements.set(sql, statement)
    return { rows: statement.all(values), ms: performance.now() - started }
  } catch (error) {
    const { message } = error as Error
    const code = error instanceof Sqlite.SqliteError ? error.code : undefined
    return { error: { message, code } }
  }
}
