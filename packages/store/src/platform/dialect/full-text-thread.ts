import type { Semaphore } from 'async-mutex'
import type { ConnectionSetup } from './connection.ts'
import { askThread, createIdleThread, startThread, type ThreadScripts } from './database-thread.ts'
import type { FullTextRequest } from './full-text-tables.ts'
import { fromThreadError, type ThreadError } from './thread-error.ts'
import { mergePriority } from './write-priority.ts'

/** Whether there was anything to do, and the duration in milliseconds; or the driver's error. */
export type FullTextAnswer = FullTextWrite | { error: ThreadError }

export interface FullTextWrite {
  hasWritten: boolean
  ms: number
}

export interface FullTextThreadOptions extends ConnectionSetup {
  /** The bundled workers; default: those beside this module. */
  scripts?: ThreadScripts | undefined
  /** Writers hold it. */
  mutex: Semaphore
  /** Called after each transaction of the thread. */
  written: () => void
}

export interface FullTextThread {
  /**
   * One transaction, while nothing else in this process writes. A merge, which is short, comes before
   * writers that wait longer.
   * @param isUrgent while it is, more of the same follow at once, for up to 50 milliseconds
   * @returns what the last one did
   * @throws StoreError
   */
  write(request: FullTextRequest, isUrgent?: () => boolean): Promise<FullTextWrite>
  end(): Promise<void>
}

/** How long the thread waits for more before it ends, in milliseconds; it takes 8 MiB. */
const idleMs = 1000

/** How long writers wait for urgent transactions, in milliseconds. */
const maxHoldMs = 50

/** Asks whether the thread has started. */
export const openFullText = 'open'

/** Starts a thread when there is something to write; writers wait until it has started if it is urgent. */
export function createFullTextThread(options: FullTextThreadOptions): FullTextThread {
  const { mutex, written } = options
  const { use, rest, end } = createIdleThread(() => start(options), idleMs)
  let writes = 0

  async function ask(request: FullTextRequest): Promise<FullTextWrite> {
    const { worker, opened } = use()
    await opened
    const answer = await askThread<FullTextAnswer>(worker, request)
    if ('error' in answer) throw fromThreadError(answer.error)
    if (answer.hasWritten) written()
    return answer
  }

  async function repeat(request: FullTextRequest, isUrgent: () => boolean): Promise<FullTextWrite> {
    const deadline = performance.now() + maxHoldMs
    let last = await ask(request)
    while (last.hasWritten && isUrgent() && performance.now() < deadline) last = await ask(request)
    return last
  }

  return {
    async write(request, isUrgent = () => false) {
      writes += 1
      try {
        if (!isUrgent()) await use().opened
        const priority = request.name === 'merge' ? mergePriority : 0
        return await mutex.runExclusive(() => repeat(request, isUrgent), 1, priority)
      } finally {
        writes -= 1
        if (writes === 0) rest()
      }
    },
    end,
  }
}

function start(options: FullTextThreadOptions) {
  const worker = startThread('fullText', options, options.scripts)
  return { worker, opened: askThread(worker, openFullText) }
}
