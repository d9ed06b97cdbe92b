import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { sendJsonText } from './json.ts'

const healthy = JSON.stringify({ status: 'ok' })
const unhealthy = JSON.stringify({ status: 'failed', message: 'The database does not answer' })

/** `/-/liveness`: the process answers. `/-/readiness`: so does its database. `/-/health`: both. */
export function registerHealth(server: FastifyInstance, app: App): void {
  server.get('/-/liveness', async (_request, reply) => sendJsonText(reply, healthy))
  for (const path of ['/-/readiness', '/-/health']) {
    server.get(path, async (_request, reply) => {
      try {
        await app.db.ping()
        return sendJsonText(reply, healthy)
      } catch {
        return sendJsonText(reply.code(503), unhealthy)
      }
    })
  }
}
