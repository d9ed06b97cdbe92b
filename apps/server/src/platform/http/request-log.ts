import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/** Routes that monitoring calls every few seconds, which are logged at level debug. */
const frequent: ReadonlySet<string | undefined> = new Set([
  '/-/health',
  '/-/liveness',
  '/-/readiness',
  '/metrics',
])

/**
 * Returns the function that logs a request once it is answered: with the template of its route, since
 * paths and queries may have secrets; undefined if nothing of it is logged.
 */
export function compileRequestLog(
  log: Logger,
): ((request: FastifyRequest, reply: FastifyReply) => void) | undefined {
  if (!log.isLevelEnabled('info')) return undefined
  return (request, reply) => {
    const { url: route } = request.routeOptions
    const level = frequent.has(route) ? 'debug' : 'info'
    log[level](
      {
        request_id: request.id,
        method: request.method,
        route: route ?? null,
        status: reply.raw.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
        user_id: request.userId,
      },
      'request',
    )
  }
}
