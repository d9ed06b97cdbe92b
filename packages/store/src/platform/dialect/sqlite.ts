import { setTimeout as delay } from 'node:timers/promises'
import { Semaphore } from 'async-mutex'
import type Sqlite from 'better-sqlite3'
import { StoreError } from '../errors.ts'
import { migrate } from '../migrations/migrator.ts'
import type { RunSql } from '../migrations/run-sql.ts'
import type { CountCache } from '../queries/count-cache.ts'
import type { Database, Durability, StoreLogger, Transaction } from '../queries/queries.ts'
import type { Shape } from '../queries/shape-cache.ts'
import { createCheckpoints } from './checkpoints.ts'
import { busyTimeout, type ConnectionSetup, connect } from './connection.ts'
import type { ThreadScripts } from './database-thread.ts'
import { type Core, createQueries, type Executor } from './executor.ts'
import { maintainFullText } from './full-text.ts'
import { createIndexThread, type IndexThread } from './index-thread.ts'
import { prepareStatements } from './prepared-statements.ts'
import { createReadThreads, type ReadThreads } from './read-threads.ts'
import { createSearchTables, prepareSearchFile } from './search-file.ts'
import { removeDamagedSearchFile } from './search-file-check.ts'
import { fromSqliteError, isBusy } from './sqlite-errors.ts'
import { assertOutsideTransaction, createUnit } from './unit.ts'
import { createWalSync, type SyncFile } from './wal-sync.ts'
import { checkpointPriority } from './write-priority.ts'

type SqliteStatement = Sqlite.Statement<unknown[], unknown>

export interface SqliteOptions extends ConnectionSetup {
  durability: Durability
  /** The bundled workers; default: those of this package. */
  threadScripts?: ThreadScripts | undefined
  syncFile?: SyncFile | undefined
  checkSearchIndex: boolean
  core: Core<SqliteStatement>
  counts: CountCache
  logger: StoreLogger
}

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
  const log = reader === writer ? noLog : openLog(options, mutex)
  const onWriter = directExecutor(writer, 0, logger)
  const writes = exclusive(onWriter, mutex)
  const reads = reader === writer ? writes : directExecutor(reader, 1, logger)
  const threads = reader === writer ? undefined : createReadThreads(threadOptions(options))
  const indexing = openSearchIndex(options, writer)
  const unitOfWork = createUnitOfWork({ writer, onWriter, mutex, log, core, logger })

  const fullText = maintainFullText(unitOfWork, writer, fullTextOptions(options, mutex, log))

  const durableWrites = after(writes, log.committed)
  const queries = createQueries(core, splitReads(reads, durableWrites), counts)
  const background =
    threads && createQueries(core, splitReads(threadExecutor(threads), durableWrites), counts)
  return {
    ...queries,
    background,
    searchIndex: {
      reads: background ?? queries,
      transaction: indexing.thread?.transaction ?? unitOfWork,
      isNew: indexing.isNew,
    },
    asyncCommit: createQueries(core, splitReads(reads, after(writes, log.written)), counts),
    stats: core.stats,
    onJobs: (listener) => {
      core.jobs.listener = listener
    },
    onNotification: (listener) => {
      core.notifications.listener = listener
    },
    transaction: fullText.transaction,
    migrate: () => migrate('sqlite', (work) => unitOfWork(() => work(runSqlOn(writer)))),
    ping: async () => {
      reader.prepare('select 1').get()
    },
    close: async () => {
      await threads?.close()
      await indexing.thread?.close()
      await fullText.close()
      await log.close()
      if (reader !== writer) reader.close()
      writer.close()
    },
  }
}

/** The search index has a file; beside a database in memory, its tables are in that. */
function openSearchIndex(
  options: SqliteOptions,
  writer: Sqlite.Database,
): { thread: IndexThread | undefined; isNew: boolean } {
  if (options.file === ':memory:') {
    createSearchTables(writer)
    return { thread: undefined, isNew: true }
  }
  if (options.checkSearchIndex && removeDamagedSearchFile(options)) {
    options.logger.warn({}, 'the search index was damaged, and is made anew')
  }
  const isNew = prepareSearchFile(options)
  return { thread: createIndexThread({ ...threadOptions(options), core: options.core }), isNew }
}

interface UnitOfWorkParts {
  writer: Sqlite.Database
  onWriter: Executor<SqliteStatement>
  mutex: Semaphore
  log: Log
  core: Core<SqliteStatement>
  logger: StoreLogger
}

/** Runs one transaction after the other on the writing connection. */
function createUnitOfWork({ writer, onWriter, mutex, log, core, logger }: UnitOfWorkParts) {
  const [begin, commit] = [writer.prepare('begin immediate'), writer.prepare('commit')]
  return async function unitOfWork<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
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
}

/** The write-ahead log. */
interface Log {
  /** Call after a write that waits for nothing. */
  written: () => void
  /** The same after one of megabytes. */
  writtenMuch: () => void
  /** Call after any other write; resolves when it is durable. */
  committed: () => Promise<void>
  close: () => Promise<void>
}

/** A database in memory has no log. */
const noLog: Log = { written() {}, writtenMuch() {}, async committed() {}, async close() {} }

function openLog(options: SqliteOptions, mutex: Semaphore): Log {
  const { durability } = options
  const exclusively = <T>(action: () => Promise<T>) =>
    mutex.runExclusive(action, 1, checkpointPriority)
  const sync = createWalSync(options.file, options.syncFile)
  const checkpoints = createCheckpoints({ ...threadOptions(options), exclusively })
  return {
    written: () => checkpoints.committed(),
    writtenMuch: () => checkpoints.committed(true),
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

/** What threads of the database need. */
function threadOptions({ file, nativeBinding, threadScripts: scripts, logger }: SqliteOptions) {
  return { file, nativeBinding, scripts, logger }
}

/** Each transaction of the thread takes much of the log. */
function fullTextOptions(options: SqliteOptions, mutex: Semaphore, log: Log) {
  return { ...threadOptions(options), mutex, written: log.writtenMuch }
}

function threadExecutor(threads: ReadThreads): Executor<SqliteStatement> {
  return {
    rows: (shape, values) => threads.read(shape, values),
    row: async (shape, values) => (await threads.read(shape, values))[0],
    changes: () => {
      throw new TypeError('Threads only read')
    },
  }
}

/** A statement that holds the main thread for longer is logged, in milliseconds. */
const blockingMs = 50

function directExecutor(
  connection: Sqlite.Database,
  slot: number,
  logger: StoreLogger,
): Executor<SqliteStatement> {
  const prepared = prepareStatements(connection, slot)
  function execute<T>(shape: Shape<SqliteStatement>, work: (statement: SqliteStatement) => T): T {
    const started = performance.now()
    try {
      return work(prepared(shape))
    } catch (error) {
      throw fromSqliteError(error)
    } finally {
      const ms = performance.now() - started
      if (ms > blockingMs) logger.warn({ query: shape.name, ms: Math.round(ms) }, 'A slow query')
    }
  }
  return {
    rows: (shape, values) => execute(shape, (statement) => statement.all(values)),
    row: (shape, values) => execute(shape, (statement) => statement.get(values)),
    changes: (shape, values) => execute(shape, (statement) => statement.run(values).changes),
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
