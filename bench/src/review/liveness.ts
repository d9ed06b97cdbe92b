import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Asks for `GET /-/liveness` every 10 ms until it is stopped, in a thread that does nothing else. */
export async function watchLiveness(url: string): Promise<{
  /** Returns the longest wait for an answer, in milliseconds. */
  stop: () => Promise<number>
}> {
  const worker = new Worker(new URL('./liveness-worker.ts', import.meta.url), {
    workerData: { url },
  })
  await once(worker, 'message')
  return {
    async stop() {
      const answer = once(worker, 'message')
      worker.postMessage('stop')
      const [longest] = await answer
      return longest as number
    },
  }
}
