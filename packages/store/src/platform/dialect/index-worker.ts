import { parentPort, workerData } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import type { Durability } from '../queries/queries.ts'
import { type ConnectionSetup, connect } from './connection.ts'
import { endThread } from './database-thread.ts'
import { beginIndexing, type IndexAnswer, type IndexRequest } from './index-thread.ts'
import { searchFileOf } from './search-file.ts'
import { markDamagedSearchFile } from './search-file-check.ts'
import { release } from './segments/bytes.ts'
import { addSearchFunctions } from './segments/search-functions.ts'
import { describeError } from './thread-error.ts'
import { yieldToMainThread } from './thread-priority.ts'

yieldToMainThread('background')

const { file, nativeBinding } = workerData as ConnectionSetup
const connection = connect({ file: searchFileOf(file), nativeBinding }, 'index')
addSearchFunctions(connection)
const statements = new LRUCache<string, Sqlite.Statement<unknown[], unknown>>({ max: 100 })

parentPort?.on('message', (request: IndexRequest | typeof endThread) => {
  if (request === endThread) {
    connection.close()
    parentPort?.close()
  } else {
    parentPort?.postMessage(answer(request))
  }
})

const levels: Readonly<Record<Durability, string>> = { disk: 'full', process: 'normal' }
let current: Durability | undefined

/** Decides whether commits wait until they are on disk, with all those before them. */
function setDurability(durability: Durability): void {
  if (durability === current) return
  connection.pragma(`synchronous = ${levels[durability]}`)
  current = durability
}

function answer({ sql, values, wants, durability }: IndexRequest): IndexAnswer {
  try {
    if (durability !== undefined) setDurability(durability)
    // Some errors end the transaction, and what was sent before the answer must not run without it.
    if (sql !== beginIndexing && !connection.inTransaction) throw new Error('No transaction')
    const statement = statements.get(sql) ?? connection.prepare<unknown[], unknown>(sql)
    statements.set(sql, statement)
    if (wants === 'rows') return { rows: statement.all(values) }
    return { changes: statement.run(values).changes }
  } catch (error) {
    markDamagedSearchFile(file, error)
    return { error: describeError(error) }
  } finally {
    for (const value of values) if (value instanceof Uint8Array) release(value)
  }
}
