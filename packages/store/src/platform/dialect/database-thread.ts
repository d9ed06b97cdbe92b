import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ConnectionSetup } from './connection.ts'

/** The threads of a SQLite database, each with a connection of its own. */
export type ThreadName = 'checkpoint' | 'fullText' | 'index' | 'read'

/** Paths of the bundled workers; default: those beside this module. */
export type ThreadScripts = Readonly<Record<ThreadName, string>>

const files: Readonly<Record<ThreadName, string>> = {
  checkpoint: 'checkpoint-worker',
  fullText: 'full-text-worker',
  index: 'index-worker',
  read: 'read-worker',
}

/** Ends a thread once it has answered what came before. */
export const endThread = 'close'

/**
 * Starts a thread, which keeps the process alive only while it owes an answer. A thread that can't
 * start ends at once: listen to `exit`.
 */
export function startThread(
  name: ThreadName,
  { file, nativeBinding }: ConnectionSetup,
  scripts: ThreadScripts | undefined,
): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  const beside = new URL(`./${files[name]}.${isSource ? 'ts' : 'js'}`, import.meta.url)
  const worker = new Worker(scripts?.[name] ?? fileURLToPath(beside), {
    workerData: { file, nativeBinding } satisfies ConnectionSetup,
    execArgv: scripts === undefined && isSource ? ['--conditions=@stithy/source'] : [],
    env: {},
  })
  // An error ends the thread, and the `exit` event is handled.
  worker.on('error', () => {})
  worker.unref()
  return worker
}

/** What `threadId` is once a thread has ended. */
const endedId = -1

/**
 * Sends a message to a thread that owes no answer; resolves with the answer.
 * @throws Error if the thread has ended, or ends before it answers, with the cause
 */
export function askThread<Answer>(thread: Worker, message: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (thread.threadId === endedId) {
      reject(new Error('A thread of the database has ended'))
      return
    }
    const finish = () => {
      thread.off('message', answer).off('error', fail).off('exit', end).unref()
    }
    const answer = (message: Answer) => {
      finish()
      resolve(message)
    }
    let cause: unknown
    const fail = (error: unknown) => {
      cause = error
    }
    const end = () => {
      finish()
      const reason = cause === undefined ? '' : `: ${String(cause)}`
      reject(new Error(`A thread of the database ended${reason}`, { cause }))
    }
    thread.on('message', answer).on('error', fail).on('exit', end).ref()
    thread.postMessage(message)
  })
}

/** Resolves once a thread that owes no answer has closed its connection and ended. */
export async function closeThread(thread: Worker): Promise<void> {
  await askThread(thread, endThread).catch(() => {})
}

/**
 * Keeps what `start` starts with a thread, until nobody has used it for `idleMs` milliseconds. Whoever
 * uses it next has another one started, also while the last one still ends.
 */
export function createIdleThread<Started extends { worker: Worker }>(
  start: () => Started,
  idleMs: number,
) {
  let current: Started | undefined
  let idle: NodeJS.Timeout | undefined

  function startNext(): Started {
    const started = start()
    started.worker.once('exit', () => {
      if (current === started) current = undefined
    })
    return started
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ended = current
    current = undefined
    if (ended !== undefined) await closeThread(ended.worker)
  }

  return {
    /** Starts it unless it runs; it stays until `rest`. */
    use(): Started {
      clearTimeout(idle)
      current ??= startNext()
      return current
    },
    /** Call when the work is done. */
    rest(): void {
      clearTimeout(idle)
      idle = setTimeout(() => void end(), idleMs).unref()
    },
    end,
  }
}
