import type { Worker } from 'node:worker_threads'
import type { Semaphore } from 'async-mutex'
import type Sqlite from 'better-sqlite3'
import type { Database, StoreLogger } from '../queries/queries.ts'
import type { ConnectionSetup } from './connection.ts'
import { askThread, closeThread, startThread, type ThreadScripts } from './database-thread.ts'
import { findUnindexed, indexLongText } from './index-long-text.ts'
import type { LongTextsAnswer } from './long-texts-worker.ts'
import { fromThreadError } from './thread-error.ts'

interface LongTextsOptions extends ConnectionSetup {
  /** The bundled workers; default: those beside this module. */
  scripts?: ThreadScripts | undefined
  /** Called after each text that the thread has written. */
  indexed: () => void
  logger: StoreLogger
}

/**
 * Has the search find the whole of long texts, of which triggers index the beginning: soon after the
 * transaction that wrote one, or the next one after a crash. A thread does it, for which writers
 * wait, and nothing else; in memory, where there is one connection, it is done at once.
 */
export function indexLongTexts(
  transaction: Database['transaction'],
  writer: Sqlite.Database,
  mutex: Semaphore,
  options: LongTextsOptions,
): Pick<Database, 'transaction' | 'close'> {
  let unindexed: Sqlite.Statement | undefined
  let running: Promise<void> | undefined
  let isClosed = false

  function look(): void {
    if (running !== undefined || isClosed || writer.inTransaction) return
    // The table is there once the database was migrated, which takes a transaction of its own.
    unindexed ??= writer.prepare(findUnindexed)
    if (unindexed.get() === undefined) return
    if (options.file === ':memory:') while (indexLongText(writer));
    else running = run()
  }

  async function run(): Promise<void> {
    const isDone = await indexInThread(options, mutex, () => isClosed)
    running = undefined
    // One may have been written while the thread ended.
    if (isDone) look()
  }

  return {
    async transaction(work) {
      const result = await transaction(work)
      look()
      return result
    },
    async close() {
      isClosed = true
      await running
    },
  }
}

/** Starts a thread for all that waits. @returns whether it is indexed */
async function indexInThread(
  options: LongTextsOptions,
  mutex: Semaphore,
  isClosed: () => boolean,
): Promise<boolean> {
  const thread = startThread('longTexts', options, options.scripts)
  try {
    // One at a time, so that writers have their turn in between.
    while (!isClosed() && (await mutex.runExclusive(() => indexNext(thread)))) options.indexed()
    return true
  } catch (error) {
    options.logger.error({ err: error }, 'A long text could not be indexed')
    return false
  } finally {
    await closeThread(thread)
  }
}

/** @returns whether there was one */
async function indexNext(thread: Worker): Promise<boolean> {
  const answer = await askThread<LongTextsAnswer>(thread, 'index')
  if ('error' in answer) throw fromThreadError(answer.error)
  return answer.isIndexed
}
