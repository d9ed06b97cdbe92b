import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Mutex } from 'async-mutex'
import { markdownScript } from '../runtime.ts'
import type { RenderAnswer, RenderRequest } from './render-messages.ts'

/** Milliseconds without work after which a thread ends, to free its memory. */
const idleMs = 60_000
const memoryMb = 256

/** A worker thread and the requests that wait for it. */
export interface RenderThread {
  worker?: Worker | undefined
  ready?: Promise<unknown> | undefined
  idle?: NodeJS.Timeout | undefined
  mutex: Mutex
}

export function openRenderThread(): RenderThread {
  return { mutex: new Mutex() }
}

export interface Limits {
  /** Timeout of the rendering in milliseconds, from when the thread starts it. */
  renderMs: number
  /** Timeout in the queue in milliseconds, after which a text is no longer rendered. */
  waitMs: number
}

/**
 * Sends a request to a thread, which handles one at a time; `late` when its turn did not come in
 * time, undefined when rendering takes too long or too much memory. The thread starts with the
 * first request and does not keep the process alive.
 */
export function renderInThread(
  thread: RenderThread,
  request: RenderRequest,
  { renderMs, waitMs }: Limits,
): Promise<RenderAnswer | 'late' | undefined> {
  const latest = performance.now() + waitMs
  return thread.mutex.runExclusive(async () =>
    performance.now() > latest ? ('late' as const) : ask(thread, request, renderMs),
  )
}

async function ask(
  thread: RenderThread,
  request: RenderRequest,
  limitMs: number,
): Promise<RenderAnswer | undefined> {
  clearTimeout(thread.idle)
  const worker = thread.worker ?? startThread(thread)
  worker.ref()
  await thread.ready
  const answer = await answerOf(worker, request, limitMs)
  if (answer === undefined) await endThread(thread)
  else thread.idle = setTimeout(endThread, idleMs, thread).unref()
  return answer
}

function startThread(thread: RenderThread): Worker {
  const script = markdownScript ?? fileURLToPath(new URL('./markdown-worker.ts', import.meta.url))
  const worker = new Worker(script, {
    // Run from source, the thread must resolve packages as this process does.
    execArgv: markdownScript === undefined ? ['--conditions=@stithy/source'] : [],
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

function answerOf(
  worker: Worker,
  request: RenderRequest,
  limitMs: number,
): Promise<RenderAnswer | undefined> {
  return new Promise((resolve) => {
    const finish = (answer?: RenderAnswer) => {
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

async function endThread(thread: RenderThread): Promise<void> {
  const ended = thread.worker
  thread.worker = undefined
  await ended?.terminate()
}
