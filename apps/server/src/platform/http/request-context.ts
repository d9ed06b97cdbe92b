import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Who sent the request that the running code works for. */
export interface RequestContext {
  /** IP address of the client. */
  address: string
  /** The acting user: under sudo, the user impersonated; null for anonymous callers. */
  user: { id: number; name: string } | null
  /** Username of the administrator who acts as the user by `sudo`. */
  impersonatedBy?: string | undefined
}

const contexts = new AsyncLocalStorage<RequestContext>()

/**
 * Runs a write for a request, so that records of it can name the client without being handed it by
 * every function in between. Reads do without.
 */
export function runInRequest<T>(context: RequestContext, work: () => T): T {
  return contexts.run(context, work)
}

/** The request that is being served; undefined in jobs, commands, and reads. */
export function currentRequest(): RequestContext | undefined {
  return contexts.getStore()
}

/** Does so for every write of a scope whose routes are no contracts. */
export function keepRequestContext(
  scope: FastifyInstance,
  userOf: (request: FastifyRequest) => RequestContext['user'],
): void {
  scope.addHook('preHandler', (request, _reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') return done()
    runInRequest({ address: request.ip, user: userOf(request) }, done)
  })
}
