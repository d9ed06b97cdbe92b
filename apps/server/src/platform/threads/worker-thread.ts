import { Worker } from 'node:worker_threads'
import { Mutex } from 'async-mutex'

/** Milliseconds without work after which a thread ends, to free its memory. */
const idleMs = 60_000
const memoryMb = 256

/** Where the program of a thread is. */
export interface ThreadScript {
  /** Next to the bundled program; undefined when running from source. */
  bundled: string | undefined
  source: string
}

/** A worker thread and the requests that wait for it. */
export interface WorkerThread {
  script: ThreadScript
  worker?: Worker | undefined
  ready?: Promise<unknown> | undefined
  idle?: NodeJS.Timeout | undefined
  mutex: Mutex
}

/** A thread for a script that sends `ready` once, and then a message for each that it gets. */
export function openThread(script: ThreadScript): WorkerThread {
  return { script, mutex: new Mutex() }
}

export interface Limits {
  /** Timeout of the answer in milliseconds, from when the thread starts on it. */
  answerMs: number
  /** Timeout in the queue in milliseconds, after which it is given up. */
  waitMs: number
}

/**
 * Sends a request to a thread, which handles one at a time; `late` when its turn did not come in
 * time, undefined when it takes too long or too much memory. The thread starts with the
 * first request and does not keep the process alive.
 */
export function askThread<Request, Answer>(
  thread: WorkerThread,
  request: Request,
  { answerMs, waitMs }: Limits,
): Promise<Answer | 'late' | undefined> {
  const latest = performance.now() + waitMs
  return thread.mutex.runExclusive(async () =>
    performance.now() > latest
      ? ('late' as const)
      : ask<Request, Answer>(thread, request, answerMs),
  )
}

async function ask<Request, Answer>(
  thread: WorkerThread,
  request: Request,
  limitMs: number,
): Promise<Answer | undefined> {
  clearTimeout(thread.idle)
  const worker = thread.worker ?? startThread(thread)
  worker.ref()
  await thread.ready
  const answer = await answerOf<Request, Answer>(worker, request, limitMs)
  if (answer === undefined) await endThread(thread)
  else thread.idle = setTimeout(endThread, idleMs, thread).unref()
  return answer
}

function startThread(thread: WorkerThread): Worker {
  const { bundled, source } = thread.script
  const worker = new Worker(bundled ?? source, {
    // Run from source, the thread must resolve packages as this process does.
    execArgv: bundled === undefined ? ['--conditions=@stithy/source'] : [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  thread.worker = worker
  thread.ready = new Promise((resolve) => {
    worker.once('message', resolve).once('exit', resolve)
  })
  // An error ends the thread, and the `exit` event is handled.
  worker.on('error', () => {})
  worker.once('exit', () => {
    if (thread.worker === worker) thread.worker = undefined
  })
  return worker
}

function answerOf<Request, Answer>(
  worker: Worker,
  request: Request,
  limitMs: number,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const finish = (answer?: Answer) => {
      clearTimeout(timer)
      worker.off('message', finish).off('exit', giveUp).unref()
      resolve(answer)
    }
    const giveUp = () => finish()
    const timer = setTimeout(giveUp, limitMs)
    worker.on('message', finish).on('exit', giveUp)
    worker.postMessage(request)
  })
}

async function endThread(thread: WorkerThread): Promise<void> {
  const ended = thread.worker
  thread.worker = undefined
  await ended?.terminate()
}
