import type { Semaphore } from 'async-mutex'
import type { ConnectionSetup } from './connection.ts'
import { askThread, createIdleThread, startThread, type ThreadScripts } from './database-thread.ts'
import type { FullTextRequest } from './full-text-tables.ts'
import { fromThreadError, type ThreadError } from './thread-error.ts'

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
   * One transaction, while nothing else in this process writes.
   * @param isUrgent whether it comes before writers that wait longer
   * @throws StoreError
   */
  write(request: FullTextRequest, isUrgent?: boolean): Promise<FullTextWrite>
  end(): Promise<void>
}

/** How long the thread waits for more before it ends, in milliseconds; it takes 8 MiB. */
const idleMs = 1000

/** Asks whether the thread has started. */
export const openFullText = 'open'

/** Starts a thread when there is something to write; writers don't wait until it has started. */
export function createFullTextThread(options: FullTextThreadOptions): FullTextThread {
  const { mutex, written } = options
  const { use, rest, end } = createIdleThread(() => start(options), idleMs)
  let writes = 0

  async function ask(request: FullTextRequest, isUrgent: boolean): Promise<FullTextWrite> {
    const { worker, opened } = use()
    await opened
    const send = () => askThread<FullTextAnswer>(worker, request)
    const answer = await mutex.runExclusive(send, 1, isUrgent ? 1 : 0)
    if ('error' in answer) throw fromThreadError(answer.error)
    return answer
  }

  return {
    async write(request, isUrgent = false) {
      writes += 1
      try {
        const answer = await ask(request, isUrgent)
        if (answer.hasWritten) written()
        return answer
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
