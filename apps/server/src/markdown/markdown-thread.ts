import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { markdownScript } from '../runtime.ts'

/** Milliseconds for one text: on an idle machine a million characters need about one second. */
const timeLimitMs = 10_000
/** Milliseconds without work after which the thread goes and gives its memory back. */
const idleMs = 60_000
const memoryMb = 256

let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Renders a text in another thread, one after the other; undefined where that takes too long or too much
 * memory. The thread starts with the first text and holds no process back from ending.
 */
export function renderInThread(
  text: string,
  limitMs: number = timeLimitMs,
): Promise<string | undefined> {
  const turn = last.then(() => render(text, limitMs))
  last = turn.catch(() => {})
  return turn
}

function startThread(): Worker {
  const script = markdownScript ?? fileURLToPath(new URL('./markdown-worker.ts', import.meta.url))
  const worker = new Worker(script, {
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  // What goes wrong in it ends it, and its end is what is waited for.
  worker.on('error', () => {})
  worker.once('exit', () => {
    if (thread === worker) thread = undefined
  })
  return worker
}

async function render(text: string, limitMs: number): Promise<string | undefined> {
  clearTimeout(idle)
  thread ??= startThread()
  const html = await ask(thread, text, limitMs)
  if (html === undefined) await endThread()
  else idle = setTimeout(endThread, idleMs).unref()
  return html
}

function ask(worker: Worker, text: string, limitMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const finish = (html?: string) => {
      clearTimeout(timer)
      worker.off('message', finish).off('exit', giveUp).unref()
      resolve(html)
    }
    const giveUp = () => finish()
    const timer = setTimeout(giveUp, limitMs)
    worker.ref()
    worker.on('message', finish).on('exit', giveUp)
    worker.postMessage(text)
  })
}

async function endThread(): Promise<void> {
  const ended = thread
  thread = undefined
  await ended?.terminate()
}
