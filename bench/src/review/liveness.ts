import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Requests that are sent every 10 ms. */
export interface Watch<Result> {
  stop: () => Promise<Result>
}

/**
 * Sends a GET request every 10 ms until it is stopped, in a thread that does nothing else; returns
 * how long each waited for its answer, in milliseconds.
 */
export async function watchRequests(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Watch<number[]>> {
  const worker = new Worker(new URL('./liveness-worker.ts', import.meta.url), {
    workerData: { url, headers },
  })
  await once(worker, 'message')
  return {
    async stop() {
      const answer = once(worker, 'message')
      worker.postMessage('stop')
      const [waits] = await answer
      return waits as number[]
    },
  }
}

/** Watches `GET /-/liveness`; returns the longest wait, in milliseconds. */
export async function watchLiveness(url: string): Promise<Watch<number>> {
  const { stop } = await watchRequests(`${url}/-/liveness`)
  return { stop: async () => Math.max(...(await stop())) }
}
