import type { FastifyInstance } from 'fastify'
import type { App } from '../platform/app.ts'
import { sendJsonText } from '../platform/http/json.ts'

const healthy = JSON.stringify({ status: 'ok' })
const unhealthy = JSON.stringify({ status: 'failed', message: 'The database does not respond' })

/** `/-/liveness`: the process responds. `/-/readiness`: the database does. `/-/health`: both do. */
export function registerHealth(server: FastifyInstance, app: App): void {
  // Their callers are known, and not limited: a check that is refused would end the server.
  const config = { identifiesCaller: true } as const
  server.get('/-/liveness', { config }, async (_request, reply) => sendJsonText(reply, healthy))
  for (const path of ['/-/readiness', '/-/health']) {
    server.get(path, { config }, async (_request, reply) => {
      try {
        await app.db.ping()
        return sendJsonText(reply, healthy)
      } catch {
        return sendJsonText(reply.code(503), unhealthy)
      }
    })
  }
}
