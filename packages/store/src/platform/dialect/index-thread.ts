import type { Worker } from 'node:worker_threads'
import { Semaphore } from 'async-mutex'
import { StoreError } from '../errors.ts'
import type { Durability, Queries, StoreLogger } from '../queries/queries.ts'
import type { Shape } from '../queries/shape-cache.ts'
import type { ConnectionSetup } from './connection.ts'
import { createIdleThread, startThread, type ThreadScripts } from './database-thread.ts'
import type { Core, Executor } from './executor.ts'
import { fromThreadError, type ThreadError } from './thread-error.ts'
import { createUnit } from './unit.ts'

/** Starts a transaction; all other statements need one. */
export const beginIndexing = 'begin immediate'

/** A statement to run: for its rows, or for the number of rows that it changes. */
export interface IndexRequest {
  sql: string
  values: unknown[]
  wants: 'rows' | 'changes'
  /** With `beginIndexing`: when the transaction is committed. */
  durability?: Durability
}

/** What a statement returned, or the driver's error. */
export type IndexAnswer = { rows: unknown[] } | { changes: number } | { error: ThreadError }

export interface IndexThreadOptions<P> extends ConnectionSetup {
  /** The bundled workers; default: those beside this module. */
  scripts?: ThreadScripts | undefined
  core: Core<P>
  logger: StoreLogger
  /** How long the thread waits for a transaction before it ends, in milliseconds; default 2 seconds. */
  idleMs?: number
}

/** Writes the search index in a thread with the only connection of this process that may. */
export interface IndexThread {
  /**
   * Runs a transaction after those before it. Bytes in arguments are the thread's from then on.
   * @throws StoreError `unavailable` if the thread ends meanwhile, `closed` after `close`.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, durability?: Durability): Promise<T>
  close(): Promise<void>
}

interface Asked {
  resolve: (answer: IndexAnswer) => void
  reject: (error: unknown) => void
}

/**
 * It takes some 15 MiB, and no request waits while the next one starts. Between the steps of a large
 * repository there is less.
 */
const defaultIdleMs = 2000

/** Starts no thread before the first transaction. */
export function createIndexThread<P>(options: IndexThreadOptions<P>): IndexThread {
  const { core, logger } = options
  const thread = createThread(options)
  const turns = new Semaphore(1)
  const executor = executorOf<P>(thread.ask)
  let closed = false

  async function perform<T>(work: (tx: Queries) => Promise<T>, durability: Durability): Promise<T> {
    if (closed) throw new StoreError('closed', 'The database is closed')
    const unit = createUnit(core, executor, logger)
    await thread.ask({ sql: beginIndexing, values: [], wants: 'changes', durability })
    try {
      const result = await unit.perform(work)
      await thread.ask({ sql: 'commit', values: [], wants: 'changes' })
      return result
    } catch (error) {
      // If the thread has ended, so has its transaction.
      await thread.ask({ sql: 'rollback', values: [], wants: 'changes' }).catch(() => {})
      throw error
    } finally {
      unit.end()
      thread.rest()
    }
  }

  return {
    transaction: (work, durability = 'disk') => turns.runExclusive(() => perform(work, durability)),
    async close() {
      closed = true
      await turns.runExclusive(() => thread.end())
    },
  }
}

function executorOf<P>(ask: (request: IndexRequest) => Promise<IndexAnswer>): Executor<P> {
  async function rows({ sql }: Shape<P>, values: unknown[]): Promise<unknown[]> {
    const answer = await ask({ sql, values, wants: 'rows' })
    return 'rows' in answer ? answer.rows : []
  }
  return {
    rows,
    row: async (shape, values) => (await rows(shape, values))[0],
    async changes({ sql }, values) {
      const answer = await ask({ sql, values, wants: 'changes' })
      return 'changes' in answer ? answer.changes : 0
    },
  }
}

/** The memory of bytes, which is handed over instead of copied if nothing else is in it. */
function memoryOf(value: unknown): ArrayBuffer[] {
  if (!(value instanceof Uint8Array) || !(value.buffer instanceof ArrayBuffer)) return []
  return value.byteLength === value.buffer.byteLength ? [value.buffer] : []
}

/** A thread that answers in order, and what it was asked. */
interface Started {
  worker: Worker
  asked: Asked[]
}

/** Starts a thread; one that ends rejects what it was asked and has not answered. */
function start(options: ConnectionSetup & { scripts?: ThreadScripts | undefined }): Started {
  const worker = startThread('index', options, options.scripts)
  const asked: Asked[] = []
  let cause: unknown
  worker.on('error', (error) => {
    cause = error
  })
  worker.on('message', (answer: IndexAnswer) => {
    asked.shift()?.resolve(answer)
    if (asked.length === 0) worker.unref()
  })
  worker.once('exit', () => {
    const error = new StoreError('unavailable', 'The search index cannot be written', cause)
    for (const { reject } of asked.splice(0)) reject(error)
  })
  return { worker, asked }
}

/** A thread that starts with the first question, and again if it ended. */
function createThread(options: Omit<IndexThreadOptions<unknown>, 'core'>) {
  const { idleMs = defaultIdleMs } = options
  const { use, rest, end } = createIdleThread(() => start(options), idleMs)
  return {
    /** Resolves with what the statement returned; throws as it would on another connection. */
    async ask(request: IndexRequest): Promise<IndexAnswer> {
      const { worker, asked } = use()
      worker.ref()
      const answer = await new Promise<IndexAnswer>((resolve, reject) => {
        asked.push({ resolve, reject })
        worker.postMessage(request, request.values.flatMap(memoryOf))
      })
      if ('error' in answer) throw fromThreadError(answer.error)
      return answer
    },
    /** Call after a transaction, within which the thread may have to wait for what is indexed. */
    rest,
    end,
  }
}
