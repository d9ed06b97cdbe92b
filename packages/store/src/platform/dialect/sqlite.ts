import { setTimeout as delay } from 'node:timers/promises'
import { Semaphore } from 'async-mutex'
import Sqlite from 'better-sqlite3'
import { StoreError } from '../errors.ts'
import { migrate } from '../migrations/migrator.ts'
import type { RunSql } from '../migrations/run-sql.ts'
import type { CountCache } from '../queries/count-cache.ts'
import type { Database, StoreLogger, Transaction } from '../queries/queries.ts'
import type { Shape } from '../queries/shape-cache.ts'
import { type Core, type Executor, queriesOver } from './executor.ts'
import { fromSqliteError, isBusy } from './sqlite-errors.ts'
import { assertOutsideTransaction, createUnit } from './unit.ts'

type SqliteStatement = Sqlite.Statement<unknown[], unknown>

export interface SqliteOptions {
  /** Path, or `:memory:`. */
  file: string
  /** The native addon, if it can't be resolved by name. */
  nativeBinding?: string | object | undefined
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
  const onWriter = directExecutor(writer, 0)
  const onReader = reader === writer ? exclusive(onWriter, mutex) : directExecutor(reader, 1)
  const outside = readingApart(onReader, exclusive(onWriter, mutex))

  async function unitOfWork<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (mutex.isLocked()) assertOutsideTransaction()
    const [, release] = await mutex.acquire()
    const unit = createUnit(core, onWriter, logger)
    let result: T
    try {
      await whileBusy(() => writer.exec('begin immediate'))
      result = await unit.perform(work)
      writer.exec('commit')
    } catch (error) {
      if (writer.inTransaction) writer.exec('rollback')
      throw fromSqliteError(error)
    } finally {
      unit.end()
      release()
    }
    unit.runCommitActions()
    return result
  }

  return {
    ...queriesOver(core, outside, counts),
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
      if (reader !== writer) reader.close()
      writer.close()
    },
  }
}

function connect(options: SqliteOptions, use: 'read' | 'write'): Sqlite.Database {
  // The typings only allow a path; the addon itself is accepted as well.
  const nativeBinding = options.nativeBinding as string | undefined
  const connection = new Sqlite(options.file, {
    // A writer waits without blocking the process, in `whileBusy`.
    timeout: use === 'read' ? busyTimeout : 5,
    ...(nativeBinding === undefined ? {} : { nativeBinding }),
  })
  connection.pragma('journal_mode = wal')
  connection.pragma('synchronous = normal')
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
  const wait = <T>(action: () => T) => mutex.runExclusive(() => whileBusy(action))
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

/** Sends selects to one executor and everything else to the other. */
function readingApart<P>(reads: Executor<P>, writes: Executor<P>): Executor<P> {
  return {
    rows: (shape, values) => (shape.writes ? writes : reads).rows(shape, values),
    row: (shape, values) => (shape.writes ? writes : reads).row(shape, values),
    changes: (shape, values) => writes.changes(shape, values),
  }
}

/** Retries, without blocking the process, while another process writes. */
async function whileBusy<T>(action: () => T): Promise<Awaited<T>> {
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
