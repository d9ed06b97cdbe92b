import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import {
  type Contract,
  contracts,
  DomainError,
  type EndpointSpec,
  maxPathParameterLength,
} from '@stithy/core'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { endStreamsAtClose } from '../activity/event-streams/event-stream.handlers.ts'
import { registerUnsubscribePage } from '../activity/mail/unsubscribe-page.ts'
import { gitConstraint, registerGitHttp } from '../code/git-http/git-http.ts'
import { registerSourceArchives } from '../code/releases/source-archives.ts'
import { registerWikiAttachments } from '../code/wikis/wiki-attachment-pages.ts'
import { registerAppearanceFiles } from '../directory/appearance/appearance-files.ts'
import { authenticate } from '../directory/authentication/authenticate-request.ts'
import { registerApplicationPages } from '../directory/oauth/application-pages.ts'
import { registerAuthorizePages } from '../directory/oauth/authorize-pages.ts'
import { registerOAuthEndpoints } from '../directory/oauth/oauth-endpoints.ts'
import { registerProjectUploads } from '../directory/project-uploads/upload-pages.ts'
import { registerScim } from '../directory/scim/scim-endpoints.ts'
import { sendUnknown } from '../directory/sign-in/error-page.ts'
import { registerSignIn } from '../directory/sign-in/sign-in.ts'
import type { App } from '../platform/app.ts'
import type { Config } from '../platform/config/config.ts'
import { type AnonymousGuard, buildAnonymousGuard } from '../platform/http/anonymous-guard.ts'
import { bodyLimit, registerBodyParsers } from '../platform/http/body-parsers.ts'
import { createBodySlots } from '../platform/http/body-slots.ts'
import type { Handlers } from '../platform/http/call.ts'
import { sendError } from '../platform/http/errors.ts'
import {
  compileCallerCount,
  type IdentifyCaller,
  identify,
  type RequestGuards,
} from '../platform/http/identify.ts'
import { type Params, queryError, tryParseQuery } from '../platform/http/nested-params.ts'
import { registerContract } from '../platform/http/register.ts'
import { compileRequestLog } from '../platform/http/request-log.ts'
import {
  endUnreadBody,
  limitBodyTime,
  rejectMalformedRequest,
} from '../platform/http/unread-bodies.ts'
import { registerUploads } from '../platform/uploads/uploads.ts'
import { findAvatar } from './avatar-access.ts'
import { handlers } from './handlers.ts'
import { registerHealth } from './health.ts'
import { createMetrics, type Metrics, registerMetrics } from './metrics/metrics-page.ts'
import { registerOpenApi } from './openapi-routes.ts'
import { allowedMethods, collectRoutes, shadowedRoutes } from './routes.ts'
import { showErrorPages } from './web/error-pages.ts'
import { loadWeb } from './web/load-web.ts'
import { registerWebPages } from './web/web-pages.ts'

/** How long a request line and headers may take at most, in milliseconds. */
const maxHeadersMs = 60_000

/** Builds the HTTP server with all its routes; it does not listen yet. */
export async function buildServer(app: App): Promise<FastifyInstance> {
  const server = fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    genReqId: () => randomUUID(),
    trustProxy: trustProxyOf(app.config),
    rewriteUrl: ({ url = '/' }) => normalizePath(url),
    // Errors of this parser are not caught, so it never throws: see `queryError`.
    routerOptions: {
      maxParamLength: maxPathParameterLength,
      querystringParser: tryParseQuery,
      constraints: { git: gitConstraint },
    },
    frameworkErrors: (error, request, reply) => {
      sendError(error, request as FastifyRequest, reply as FastifyReply)
    },
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: Math.min(app.config.requestTimeoutMs, maxHeadersMs),
      connectionsCheckingInterval: 5000,
    },
    clientErrorHandler: rejectMalformedRequest,
  }) as unknown as FastifyInstance
  // A logger per request costs more than some requests do; errors name the request themselves.
  server.log.child = () => server.log
  server.decorateRequest('userId', null)
  const metrics = createMetrics(app)
  watchRequests(server, app, metrics)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(commonHeaders)
    endUnreadBody(request, reply)
    done()
  })
  server.setErrorHandler((error, request, reply) =>
    (request.is404 ? sendUnknown : sendError)(error, request, reply),
  )
  const refusal = refusalOfUnknown(server)
  server.setNotFoundHandler(async (request, reply) =>
    sendUnknown(await refusal(request), request, reply),
  )
  await registerRoutes(server, app, { metrics, refusal })
  endStreamsAtClose(server, app)
  return server
}

/** Counts and logs every request once it is answered. */
function watchRequests(server: FastifyInstance, app: App, metrics: Metrics): void {
  const log = compileRequestLog(app.log)
  server.addHook('onResponse', (request, reply, done) => {
    metrics.observe(request, reply)
    log?.(request, reply)
    done()
  })
}

/** Fastify's types lack the number of proxies. */
function trustProxyOf({ trustProxy }: Config): string[] | false | TrustProxyFunction {
  return typeof trustProxy === 'number' ? (_, hop) => hop < trustProxy : trustProxy
}

type TrustProxyFunction = (address: string, hop: number) => boolean

/** What routes need besides the application. */
interface Parts {
  metrics: Metrics
  refusal: Refusal
}

async function registerRoutes(
  server: FastifyInstance,
  app: App,
  { metrics, refusal }: Parts,
): Promise<void> {
  const guard = buildAnonymousGuard(app)
  const guards: RequestGuards = { authenticate, guard, bodies: createBodySlots() }
  const identifyCaller: IdentifyCaller = (request, reply) =>
    identify(app, guards, request, reply, request.query as Params)
  const countCaller = compileCallerCount(identifyCaller)
  server.addHook('onRequest', (request, reply, done) => {
    const { config, url } = request.routeOptions
    const isApi = request.url.startsWith('/api/')
    // What the API lacks is found by the route of the web pages, which has no say in it.
    if (config.identifiesCaller && !(isApi && url === '/*')) return done()
    if (isApi) {
      countCaller(request, reply).then(() => done(), done)
      return
    }
    try {
      guard(request, reply)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  // Unknown routes are answered before their body is read, whatever it is.
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) refusal(request).then(done, done)
    else done(queryError(request.query as object) as Error | undefined)
  })
  registerContracts(server, app, guards, ({ method }) => method === 'GET')
  // Body parsers add their hooks to every route in their scope, so reads are registered outside.
  await server.register(async (scope) => {
    await registerBodies(scope, app)
    registerContracts(scope, app, guards, ({ method }) => method !== 'GET')
  })
  registerShadowed(server, refusal)
  registerHealth(server, app)
  registerMetrics(server, app, metrics, identifyCaller)
  registerOpenApi(server, app)
  await registerPages(server, app, guard)
  await server.register(async (scope) => {
    await registerBodies(scope, app)
    registerOAuthEndpoints(scope, app)
  })
  await server.register(async (scope) => {
    await registerBodies(scope, app)
    registerScim(scope, app, guard)
  })
  await server.register(async (scope) => registerFiles(scope, app, identifyCaller))
  await server.register(async (scope) => registerGitHttp(scope, app, { guard, countCaller }))
}

/** Registers the files that pages show and link to. */
async function registerFiles(
  scope: FastifyInstance,
  app: App,
  identifyCaller: IdentifyCaller,
): Promise<void> {
  await showErrorPages(scope, app)
  await registerUploads(scope, app, identifyCaller, findAvatar)
  registerAppearanceFiles(scope, app, identifyCaller)
  registerSourceArchives(scope, app, identifyCaller)
  registerProjectUploads(scope, app, identifyCaller)
  registerWikiAttachments(scope, app, identifyCaller)
}

/** Registers the pages for browsers, which have sessions. */
async function registerPages(
  server: FastifyInstance,
  app: App,
  guard: AnonymousGuard,
): Promise<void> {
  await server.register(async (scope) => {
    await registerBodies(scope, app)
    await scope.register(cookie)
    await registerSignIn(scope, app, guard)
    registerAuthorizePages(scope, app)
    registerApplicationPages(scope, app)
    registerUnsubscribePage(scope, app)
    registerWebPages(scope, app)
  })
}

async function registerBodies(scope: FastifyInstance, app: App): Promise<void> {
  await registerBodyParsers(scope)
  limitBodyTime(scope, app.config.requestTimeoutMs)
}

function registerContracts(
  server: FastifyInstance,
  app: App,
  guards: RequestGuards,
  chosen: (endpoint: EndpointSpec) => boolean,
): void {
  for (const [resource, contract] of Object.entries<Contract>(contracts)) {
    const group = handlers[resource as keyof typeof handlers] as Handlers<Contract>
    const endpoints = Object.entries(contract).filter(([, endpoint]) => chosen(endpoint))
    registerContract(server, app, Object.fromEntries(endpoints), group, guards)
  }
}

/** Answers 405 where a word would be taken for a number, before the body is read. */
function registerShadowed(server: FastifyInstance, refusal: Refusal): void {
  for (const { method, path } of shadowedRoutes()) {
    const refuse = async (request: FastifyRequest) => {
      throw await refusal(request)
    }
    server.route({ method, url: `/api/v4${path}`, onRequest: refuse, handler: refuse })
  }
}

/** Collapses repeated slashes and drops trailing ones in an API path. */
function normalizePath(url: string): string {
  if (!/^\/+api\//.test(url)) return url
  if (!url.includes('//') && !url.endsWith('/') && !url.includes('/?')) return url
  const split = url.indexOf('?')
  const path = split === -1 ? url : url.slice(0, split)
  const tidy = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  return split === -1 ? tidy : tidy + url.slice(split)
}

/** In lower case, as they are sent: see `pageHeaders`. */
const commonHeaders = {
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  // What is sent depends on the caller: shared caches keep none of it, others ask each time.
  'cache-control': 'private, no-cache',
  vary: 'Origin, Private-Token, Authorization, Cookie',
}

/** What a request is answered that no route takes. */
type Refusal = (request: FastifyRequest) => Promise<DomainError>

/** 405 with the methods that the path has, of the API, of the server's own pages and of the others; or 404. */
function refusalOfUnknown(server: FastifyInstance): Refusal {
  const own = collectRoutes(server)
  return async (request) => {
    const [path = ''] = request.url.split('?')
    if (path.startsWith('/api/v3/') || path === '/api/v3') return new DomainError('gone')
    const pages = path.startsWith('/api/') ? [] : (await loadWeb()).methods(path)
    const methods = [allowedMethods(path), own.methods(path), pages]
    const found = [...new Set(methods.flat())].toSorted()
    // A GET of a page of nothing comes here as well.
    if (found.length === 0 || found.includes(request.method))
      return new DomainError('unknown_route')
    return new DomainError('method_not_allowed', { methods: found })
  }
}
