import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import { type Contract, contracts, DomainError, type EndpointSpec } from '@stithy/core'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { App } from '../app.ts'
import { registerGitHttp } from '../git-http/git-http.ts'
import { registerSourceArchives } from '../releases/source-archives.ts'
import { registerSignIn } from '../sign-in/sign-in.ts'
import { registerUploads } from '../uploads/uploads.ts'
import { type AnonymousGuard, buildAnonymousGuard } from './anonymous-guard.ts'
import { bodyLimit, registerBodyParsers } from './body-parsers.ts'
import type { Handlers } from './call.ts'
import { sendError } from './errors.ts'
import { handlers } from './handlers.ts'
import { registerHealth } from './health.ts'
import { parseQueryQuietly, queryFault } from './nested-params.ts'
import { registerOpenApi } from './openapi-routes.ts'
import { registerContract } from './register.ts'
import { isKnownPath } from './routes.ts'

/** Twenty levels of groups and a project, each with 255 percent-encoded characters, fit. */
const maxParamLength = 21 * 256 * 3

/** The HTTP server with everything that it serves, not yet listening. */
export async function buildServer(app: App): Promise<FastifyInstance> {
  const server = fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than some requests do; errors name the request themselves.
    childLoggerFactory: (log) => log,
    bodyLimit,
    genReqId: () => randomUUID(),
    trustProxy: app.config.trustProxy,
    rewriteUrl: ({ url = '/' }) => normalizePath(url),
    // Nobody catches what this parser throws, so it never does: see `queryFault`.
    routerOptions: { maxParamLength, querystringParser: parseQueryQuietly },
    frameworkErrors: (error, request, reply) => {
      sendError(error, request as FastifyRequest, reply as FastifyReply)
    },
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseGarbled,
  }) as unknown as FastifyInstance
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request))
    done(queryFault(request.query as object) as Error | undefined)
  })
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  server.setNotFoundHandler((request, reply) => sendError(missing(request), request, reply))
  await registerRoutes(server, app)
  return server
}

async function registerRoutes(server: FastifyInstance, app: App): Promise<void> {
  const guard = buildAnonymousGuard(app)
  // Calls of the API are counted by its own routes, once they know that no token was sent.
  server.addHook('onRequest', (request, reply, done) => {
    const { headers, url } = request
    if (url.startsWith('/api/v4/') || headers.authorization || headers.cookie) return done()
    try {
      guard(request, reply)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  registerContracts(server, app, guard, ({ method }) => method === 'GET')
  // What reads bodies adds its hooks to every route beside it, so reads live outside.
  await server.register(async (scope) => {
    await registerBodyParsers(scope)
    registerContracts(scope, app, guard, ({ method }) => method !== 'GET')
  })
  registerHealth(server, app)
  registerOpenApi(server, app)
  await server.register(async (scope) => {
    await registerBodyParsers(scope)
    await scope.register(cookie)
    await registerSignIn(scope, app)
  })
  await server.register(async (scope) => registerUploads(scope, app))
  registerSourceArchives(server, app)
  await server.register(async (scope) => registerGitHttp(scope, app))
}

function registerContracts(
  server: FastifyInstance,
  app: App,
  guard: AnonymousGuard,
  chosen: (endpoint: EndpointSpec) => boolean,
): void {
  for (const [resource, contract] of Object.entries<Contract>(contracts)) {
    const ours = handlers[resource as keyof typeof handlers] as Handlers<Contract>
    const endpoints = Object.entries(contract).filter(([, endpoint]) => chosen(endpoint))
    registerContract(server, app, Object.fromEntries(endpoints), ours, guard)
  }
}

/** Doubled and trailing slashes in a path of the API count as one and none (decisions: on the wire). */
function normalizePath(url: string): string {
  if (!/^\/+api\//.test(url)) return url
  if (!url.includes('//') && !url.endsWith('/') && !url.includes('/?')) return url
  const split = url.indexOf('?')
  const path = split === -1 ? url : url.slice(0, split)
  const tidy = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  return split === -1 ? tidy : tidy + url.slice(split)
}

/** What is no HTTP at all is answered in the shape of every other error. */
function refuseGarbled(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const [status, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large']
      : [400, 'Bad Request']
  const body = JSON.stringify({ message: `${status} ${text}` })
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function commonHeaders(request: FastifyRequest): Record<string, string> {
  return {
    'X-Request-Id': request.id,
    'X-Frame-Options': 'SAMEORIGIN',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Origin',
  }
}

function missing(request: FastifyRequest): DomainError {
  const [path = ''] = request.url.split('?')
  if (path.startsWith('/api/v3/') || path === '/api/v3') return new DomainError('gone')
  return new DomainError(isKnownPath(path) ? 'method_not_allowed' : 'unknown_route')
}
