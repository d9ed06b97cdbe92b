import { setTimeout as delay } from 'node:timers/promises'

const pause = 10

/** Asks for `GET /-/liveness` every 10 ms until it is stopped. */
export function watchLiveness(url: string): {
  /** Returns the longest wait for an answer, in milliseconds. */
  stop: () => Promise<number>
} {
  const ended = new AbortController()
  const waits: Promise<number>[] = []
  const asking = (async () => {
    while (!ended.signal.aborted) {
      waits.push(askOnce(url))
      await delay(pause)
    }
  })()
  return {
    async stop() {
      ended.abort()
      await asking
      return Math.max(...(await Promise.all(waits)))
    },
  }
}

async function askOnce(url: string): Promise<number> {
  const start = performance.now()
  const answer = await fetch(`${url}/-/liveness`)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
  return performance.now() - start
}
