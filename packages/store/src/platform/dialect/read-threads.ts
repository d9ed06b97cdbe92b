import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { StoreError } from '../errors.ts'
import type { StoreLogger } from '../queries/queries.ts'
import type { Shape } from '../queries/shape-cache.ts'
import type { ConnectionSetup } from './connection.ts'
import { askThread, closeThread, startThread, type ThreadScripts } from './database-thread.ts'
import { fromThreadError, type ThreadError } from './thread-error.ts'

/** A select to run, with the values of its placeholders. */
export interface ReadRequest {
  sql: string
  values: unknown[]
}

/** All rows and the duration in the thread, milliseconds; or the driver's error. */
export type ReadAnswer = { rows: unknown[]; ms: number } | { error: ThreadError }

export interface ReadThreadsOptions extends ConnectionSetup {
  /** The bundled workers; default: those beside this module. */
  scripts?: ThreadScripts | undefined
  logger: StoreLogger
  /** How long a thread waits for work before it ends, in milliseconds; default 30 seconds. */
  idleMs?: number
}

/**
 * Threads that run selects, each with a connection of its own, so that a select that takes long
 * holds up no other work of the process. They see everything that was committed before the call.
 */
export interface ReadThreads {
  /**
   * Resolves with all rows.
   * @throws StoreError `unavailable` if two threads in a row ended while they ran it, `closed`
   * after `close`, and what the same select throws on a connection of the main thread.
   */
  read(shape: Shape<unknown>, values: unknown[]): Promise<unknown[]>
  /** Rejects what waits or runs; resolves when the threads have ended. */
  close(): Promise<void>
}

/** A shape whose last run took longer than this is slow. */
const slowMs = 50

/** Slow shapes leave a core to the main thread. */
const maxSlow = Math.min(Math.max(availableParallelism() - 1, 1), 3)

/**
 * Others have one thread more. A second one would take 14 MiB, and help only while the first run of
 * a shape turns out to be slow.
 */
const maxThreads = maxSlow + 1

const defaultIdleMs = 30_000

interface Task {
  shape: Shape<unknown>
  values: unknown[]
  /** Whether a thread ended while it ran this. */
  retried: boolean
  slow: boolean
  resolve: (rows: unknown[]) => void
  reject: (error: unknown) => void
}

/** A started thread; without a task it is idle and will end. */
interface Thread {
  worker: Worker
  task: Task | undefined
  idle: NodeJS.Timeout
}

/**
 * Starts no thread before the first select. Of the selects that wait, those of quick shapes go
 * first; slow ones run in some of the threads only.
 */
export function createReadThreads(options: ReadThreadsOptions): ReadThreads {
  const pool = createPool(options)
  const waiting = createQueue()
  let closed = false

  function dispatch(): void {
    for (let task = next(); task !== undefined; task = next()) {
      const thread = pool.find()
      if (thread === undefined) {
        waiting.putBack(task)
        return
      }
      void run(thread, task)
    }
  }

  function next(): Task | undefined {
    return waiting.take(pool.countSlow() < maxSlow)
  }

  async function run(thread: Thread, task: Task): Promise<void> {
    try {
      settle(task, await pool.run(thread, task))
    } catch (error) {
      if (closed) task.reject(closedError())
      else retry(task, error)
    }
    dispatch()
  }

  function retry(task: Task, error: unknown): void {
    options.logger.error({ err: error }, 'A thread that reads the database ended')
    if (task.retried) {
      task.reject(new StoreError('unavailable', 'The database cannot be read', error))
    } else {
      task.retried = true
      waiting.putBack(task)
    }
  }

  return {
    read(shape, values) {
      if (closed) return Promise.reject(closedError())
      return new Promise((resolve, reject) => {
        const slow = (shape.threadMs ?? 0) > slowMs
        waiting.add({ shape, values, retried: false, slow, resolve, reject })
        dispatch()
      })
    },
    async close() {
      closed = true
      for (const task of waiting.clear()) task.reject(closedError())
      await pool.close()
    },
  }
}

/** What waits for a thread, in two lanes. */
function createQueue() {
  const quick: Task[] = []
  const slow: Task[] = []
  const laneOf = (task: Task) => (task.slow ? slow : quick)
  return {
    add: (task: Task): void => void laneOf(task).push(task),
    putBack: (task: Task): void => void laneOf(task).unshift(task),
    take: (slowMayRun: boolean): Task | undefined =>
      quick.shift() ?? (slowMayRun ? slow.shift() : undefined),
    clear: (): Task[] => [...quick.splice(0), ...slow.splice(0)],
  }
}

/** Threads that are started when they are needed and end when they are not. */
function createPool(options: ReadThreadsOptions) {
  const { scripts, idleMs = defaultIdleMs } = options
  const threads = new Set<Thread>()

  function add(): Thread {
    const worker = startThread('read', options, scripts)
    const end = () => {
      // The timer starts again after the task.
      if (thread.task !== undefined) return
      threads.delete(thread)
      void closeThread(worker)
    }
    const thread: Thread = { worker, task: undefined, idle: setTimeout(end, idleMs).unref() }
    threads.add(thread)
    worker.once('exit', () => {
      clearTimeout(thread.idle)
      threads.delete(thread)
    })
    return thread
  }

  return {
    /** A thread without a task, if there may be one more. */
    find(): Thread | undefined {
      for (const thread of threads) if (thread.task === undefined) return thread
      return threads.size < maxThreads ? add() : undefined
    },
    countSlow(): number {
      let slow = 0
      for (const { task } of threads) if (task?.slow) slow += 1
      return slow
    },
    /** Rejects if the thread ends, which is then replaced by the next one that is needed. */
    async run(thread: Thread, task: Task): Promise<ReadAnswer> {
      const request: ReadRequest = { sql: task.shape.sql, values: task.values }
      thread.task = task
      try {
        const answer = await askThread<ReadAnswer>(thread.worker, request)
        thread.idle.refresh()
        return answer
      } finally {
        thread.task = undefined
      }
    },
    async close(): Promise<void> {
      await Promise.all([...threads].map(endNow))
    },
  }
}

/** A thread inside SQLite ends when its statement does. */
async function endNow({ worker, task, idle }: Thread): Promise<void> {
  clearTimeout(idle)
  if (task === undefined) await closeThread(worker)
  else await worker.terminate()
}

function settle({ shape, resolve, reject }: Task, answer: ReadAnswer): void {
  if ('rows' in answer) {
    shape.threadMs = answer.ms
    resolve(answer.rows)
    return
  }
  reject(fromThreadError(answer.error))
}

function closedError(): StoreError {
  return new StoreError('closed', 'The database is closed')
}
