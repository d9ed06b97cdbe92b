import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { markdownScript } from '../runtime.ts'
import type { RenderAnswer, RenderRequest } from './render-messages.ts'

/** Milliseconds without work after which a thread goes and gives its memory back. */
const idleMs = 60_000
const memoryMb = 256

/** A thread and those who wait for it. */
export interface Lane {
  worker?: Worker | undefined
  ready?: Promise<unknown> | undefined
  idle?: NodeJS.Timeout | undefined
  last: Promise<unknown>
}

export function openLane(): Lane {
  return { last: Promise.resolve() }
}

export interface Limits {
  /** Milliseconds for the answer, from when the thread begins with it. */
  renderMs: number
  /** Milliseconds in the queue, after which a text is no longer worth beginning with. */
  waitMs: number
}

/**
 * Asks the thread of a lane, one question after the other; `late` where the turn did not come in time, and
 * undefined where the answer takes too long or too much memory. The thread starts with the first question and holds no process back from ending.
 */
export function askThread(
  lane: Lane,
  request: RenderRequest,
  { renderMs, waitMs }: Limits,
): Promise<RenderAnswer | 'late' | undefined> {
  const latest = performance.now() + waitMs
  const turn = lane.last.then(async () =>
    performance.now() > latest ? ('late' as const) : ask(lane, request, renderMs),
  )
  lane.last = turn.catch(() => {})
  return turn
}

async function ask(
  lane: Lane,
  request: RenderRequest,
  limitMs: number,
): Promise<RenderAnswer | undefined> {
  clearTimeout(lane.idle)
  const worker = lane.worker ?? startThread(lane)
  worker.ref()
  await lane.ready
  const answer = await answerOf(worker, request, limitMs)
  if (answer === undefined) await endThread(lane)
  else lane.idle = setTimeout(endThread, idleMs, lane).unref()
  return answer
}

function startThread(lane: Lane): Worker {
  const script = markdownScript ?? fileURLToPath(new URL('./markdown-worker.ts', import.meta.url))
  const worker = new Worker(script, {
    // Run from source, the thread finds the packages as this process does.
    execArgv: markdownScript === undefined ? ['--conditions=@stithy/source'] : [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  lane.worker = worker
  lane.ready = new Promise((resolve) => {
    worker.once('message', resolve).once('exit', resolve)
  })
  // What goes wrong in it ends it, and its end is what is waited for.
  worker.on('error', () => {})
  worker.once('exit', () => {
    if (lane.worker === worker) lane.worker = undefined
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

async function endThread(lane: Lane): Promise<void> {
  const ended = lane.worker
  lane.worker = undefined
  await ended?.terminate()
}
