import { setTimeout as delay } from 'node:timers/promises'
import { Semaphore } from 'async-mutex'
import Sqlite from 'better-sqlite3'
import { StoreError } from '../errors.ts'
import { migrate } from '../migrations/migrator.ts'
import type { RunSql } from '../migrations/run-sql.ts'
import type { CountCache } from '../queries/count-cache.ts'
import type { Database, StoreLogger, Transaction } from '../queries/queries.ts'
import type { Shape } from '../queries/shape-cache.ts'
import { createCheckpoints } from './checkpoints.ts'
import { type Core, createQueries, type Executor } from './executor.ts'
import { fromSqliteError, isBusy } from './sqlite-errors.ts'
import { assertOutsideTransaction, createUnit } from './unit.ts'
import { createWalSync, type SyncFile } from './wal-sync.ts'

/**
 * When a write resolves: once it is on `disk`, so that it survives a power failure, or once the
 * operating system has it, so that it survives the end of the `process`.
 */
export type Durability = 'disk' | 'process'

type SqliteStatement = Sqlite.Statement<unknown[], unknown>

export interface SqliteOptions {
  /** Path, or `:memory:`. */
  file: string
  /** The path of the native addon, if it can't be resolved by name. */
  nativeBinding?: string | undefined
  durability: Durability
  /** The bundled checkpoint worker; default: the one of this package. */
  checkpointScript?: string | undefined
  syncFile?: SyncFile | undefined
  core: Core<SqliteStatement>
  counts: CountCache
  logger: StoreLogger
}

/** How long a writer waits for another process, in milliseconds. */
const busyTimeout = 5000

/**
 * One connection writes and another reads, so that reads never wait for a transaction; a database
 * in memory has one connection for both, and its reads wait.
 */
export function openSqlite(options: SqliteOptions): Database {
  const { core, counts, logger } = options
  const writer = connect(options, 'write')
  const reader = options.file === ':memory:' ? writer : connect(options, 'read')
  // A `Mutex` costs 3 µs per transaction, of 15 in all for the smallest; a `Semaphore` 1 µs.
  const mutex = new Semaphore(1)
  const [begin, commit] = [writer.prepare('begin immediate'), writer.prepare('commit')]
  const log = reader === writer ? noLog : openLog(options, mutex)
  const onWriter = directExecutor(writer, 0)
  const writes = exclusive(onWriter, mutex)
  const reads = reader === writer ? writes : directExecutor(reader, 1)

  async function unitOfWork<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (mutex.isLocked()) assertOutsideTransaction()
    const [, release] = await mutex.acquire()
    const unit = createUnit(core, onWriter, logger)
    let result: T
    try {
      await retryWhileBusy(() => begin.run())
      result = await unit.perform(work)
      commit.run()
    } catch (error) {
      if (writer.inTransaction) writer.exec('rollback')
      throw fromSqliteError(error)
    } finally {
      unit.end()
      release()
    }
    await log.committed()
    unit.runCommitActions()
    return result
  }

  return {
    ...createQueries(core, splitReads(reads, after(writes, log.committed)), counts),
    asyncCommit: createQueries(core, splitReads(reads, after(writes, log.written)), counts),
    stats: core.stats,
    onJobs: (listener) => {
      core.jobs.listener = listener
    },
    transaction: unitOfWork,
    migrate: () => migrate('sqlite', (work) => unitOfWork(() => work(runSqlOn(writer)))),
    ping: async () => {
      reader.prepare('select 1').get()
    },
    close: async () => {
      await log.close()
      if (reader !== writer) reader.close()
      writer.close()
    },
  }
}

/** The write-ahead log. */
interface Log {
  /** Call after a write that waits for nothing. */
  written: () => void
  /** Call after any other write; resolves when it is durable. */
  committed: () => Promise<void>
  close: () => Promise<void>
}

/** A database in memory has no log. */
const noLog: Log = { written() {}, async committed() {}, async close() {} }

function openLog(options: SqliteOptions, mutex: Semaphore): Log {
  const { file, nativeBinding, checkpointScript: script, durability, logger } = options
  const exclusively = <T>(action: () => Promise<T>) => mutex.runExclusive(action)
  const sync = createWalSync(file, options.syncFile)
  const checkpoints = createCheckpoints({ file, nativeBinding, script, exclusively, logger })
  return {
    written: checkpoints.committed,
    async committed() {
      checkpoints.committed()
      if (durability === 'disk') await sync.flush()
    },
    async close() {
      await checkpoints.close()
      await sync.close()
    },
  }
}

function connect(options: SqliteOptions, use: 'read' | 'write'): Sqlite.Database {
  const { nativeBinding } = options
  const connection = new Sqlite(options.file, {
    // A writer waits without blocking the process, in `retryWhileBusy`.
    timeout: use === 'read' ? busyTimeout : 5,
    ...(nativeBinding === undefined ? {} : { nativeBinding }),
  })
  connection.pragma('journal_mode = wal')
  connection.pragma('synchronous = normal')
  // Commits would run them on this thread.
  connection.pragma('wal_autocheckpoint = 0')
  connection.pragma('foreign_keys = on')
  connection.pragma('temp_store = memory')
  connection.pragma(`cache_size = ${use === 'read' ? -16_000 : -4000}`)
  connection.pragma(`mmap_size = ${use === 'read' ? 32 * 1024 * 1024 : 0}`)
  if (use === 'read') connection.pragma('query_only = on')
  return connection
}

function directExecutor(connection: Sqlite.Database, slot: number): Executor<SqliteStatement> {
  function prepared(shape: Shape<SqliteStatement>): SqliteStatement {
    const known = shape.prepared[slot]
    if (known !== undefined) return known
    const statement = connection.prepare<unknown[], unknown>(shape.sql)
    shape.prepared[slot] = statement
    return statement
  }
  return {
    rows(shape, values) {
      try {
        return prepared(shape).all(values)
      } catch (error) {
        throw fromSqliteError(error)
      }
    },
    row(shape, values) {
      try {
        return prepared(shape).get(values)
      } catch (error) {
        throw fromSqliteError(error)
      }
    },
    changes(shape, values) {
      try {
        return prepared(shape).run(values).changes
      } catch (error) {
        throw fromSqliteError(error)
      }
    },
  }
}

/** Waits for running transactions, of this process and others. */
function exclusive<P>(executor: Executor<P>, mutex: Semaphore): Executor<P> {
  const wait = <T>(action: () => T) => mutex.runExclusive(() => retryWhileBusy(action))
  function exclusively<T>(action: () => T): T | Promise<Awaited<T>> {
    if (mutex.isLocked()) {
      assertOutsideTransaction()
      return wait(action)
    }
    try {
      return action()
    } catch (error) {
      if (error instanceof StoreError && error.code === 'busy') return wait(action)
      throw error
    }
  }
  return {
    rows: (shape, values) => exclusively(() => executor.rows(shape, values)),
    row: (shape, values) => exclusively(() => executor.row(shape, values)),
    changes: (shape, values) => exclusively(() => executor.changes(shape, values)),
  }
}

/** Does something after each statement, before its result is returned. */
function after<P>(executor: Executor<P>, action: () => void | Promise<void>): Executor<P> {
  return {
    async rows(shape, values) {
      const rows = await executor.rows(shape, values)
      await action()
      return rows
    },
    async row(shape, values) {
      const row = await executor.row(shape, values)
      await action()
      return row
    },
    async changes(shape, values) {
      const changes = await executor.changes(shape, values)
      await action()
      return changes
    },
  }
}

/** Sends selects to one executor and everything else to the other. */
function splitReads<P>(reads: Executor<P>, writes: Executor<P>): Executor<P> {
  return {
    rows: (shape, values) => (shape.writes ? writes : reads).rows(shape, values),
    row: (shape, values) => (shape.writes ? writes : reads).row(shape, values),
    changes: (shape, values) => writes.changes(shape, values),
  }
}

/** Retries, without blocking the process, while another process writes. */
async function retryWhileBusy<T>(action: () => T): Promise<Awaited<T>> {
  const deadline = performance.now() + busyTimeout
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    try {
      return await action()
    } catch (error) {
      const busy = isBusy(error) || (error instanceof StoreError && error.code === 'busy')
      if (!busy || performance.now() > deadline) throw error
    }
    await delay(pause)
  }
}

function runSqlOn(connection: Sqlite.Database): RunSql {
  return async (text, values) => {
    const statement = connection.prepare<unknown[], unknown>(text)
    if (statement.reader) return statement.all([...values])
    statement.run([...values])
    return []
  }
}
