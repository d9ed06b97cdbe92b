import { AsyncLocalStorage } from 'node:async_hooks'

const context = new AsyncLocalStorage<string | null>()

/** Runs work for a request, or for none: the jobs that it enqueues carry its id. */
export function withRequestId<T>(requestId: string | null, work: () => T): T {
  return context.run(requestId, work)
}

/** The request that is being worked for. */
export function currentRequestId(): string | null {
  return context.getStore() ?? null
}
