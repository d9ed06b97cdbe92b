import { watchRequests } from '../review/liveness.ts'
import type { Target } from '../servers.ts'

/** The maximum wait of `GET /-/liveness`, in milliseconds. */
export const livenessGoal = 50

/** How long requests waited for their answers, in milliseconds. */
export interface Waits {
  p50: number
  p99: number
  max: number
}

/** `GET /-/liveness` of a server and of one that does nothing, each asked every 10 ms meanwhile. */
export interface WaitsBeside {
  server: Waits
  idle: Waits
}

/** Asks both until the result is stopped. */
export async function watchBoth(server: Target, idle: Target) {
  const watches = [
    await watchRequests(`${server.url}/-/liveness`),
    await watchRequests(`${idle.url}/-/liveness`),
  ] as const
  return {
    async stop(): Promise<WaitsBeside> {
      const [ofServer, ofIdle] = await Promise.all(watches.map((watch) => watch.stop()))
      return { server: waitsOf(ofServer ?? []), idle: waitsOf(ofIdle ?? []) }
    },
  }
}

function waitsOf(waits: readonly number[]): Waits {
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
