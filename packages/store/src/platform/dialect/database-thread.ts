import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ConnectionSetup } from './connection.ts'

/** The threads of a SQLite database, each with a connection of its own. */
export type ThreadName = 'checkpoint' | 'index' | 'longTexts' | 'read'

/** Paths of the bundled workers; default: those beside this module. */
export type ThreadScripts = Readonly<Record<ThreadName, string>>

const files: Readonly<Record<ThreadName, string>> = {
  checkpoint: 'checkpoint-worker',
  index: 'index-worker',
  longTexts: 'long-texts-worker',
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

/**
 * Sends a message to a thread that owes no answer; resolves with the answer.
 * @throws Error with the cause if the thread ends before.
 */
export function askThread<Answer>(thread: Worker, message: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
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
