import fastify, { type FastifyInstance } from 'fastify'
import type { App } from '../platform/app.ts'
import { sendJsonText } from '../platform/http/json.ts'
import { openApiDocument } from './openapi.ts'

/** `/api/v4/openapi.json` and the reference page at `/-/api`, both public. */
export function registerOpenApi(server: FastifyInstance, app: App): void {
  let text: string | undefined
  server.get('/api/v4/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(openApiDocument(app.config.externalUrl))
    return sendJsonText(reply, text)
  })
  let reference: Promise<FastifyInstance> | undefined
  for (const path of ['/-/api', '/-/api/*']) {
    server.get(path, async (request, reply) => {
      reference ??= loadReference()
      const answer = await (await reference).inject({ method: 'GET', url: request.url })
      return reply.code(answer.statusCode).headers(answer.headers).send(answer.rawPayload)
    })
  }
}

/** The page has four megabytes of script, so it is loaded on first use. */
async function loadReference(): Promise<FastifyInstance> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const pages = fastify()
  await pages.register(plugin, {
    routePrefix: '/-/api',
    configuration: { url: '/api/v4/openapi.json', title: 'Stithy REST API' },
  })
  return pages
}
