import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Contract, DomainError, type EndpointSpec } from '@stithy/core'
import type { Page } from '@stithy/store'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { AnonymousGuard } from './anonymous-guard.ts'
import { authenticate, compileCredentialCheck } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { Answer, type Call, type Caller, type Handlers, type RawAnswer } from './call.ts'
import { compileDecoder, rawParams } from './decode.ts'
import { sendError } from './errors.ts'
import { runtimeOf, sendJsonText } from './json.ts'
import type { Keyset } from './keyset.ts'
import type { Params } from './nested-params.ts'
import { keysetHeaders, pageHeaders } from './pagination.ts'

/** What one route needs to know of its contract, computed once. */
interface Route {
  endpoint: EndpointSpec
  handle: (call: Call) => Promise<unknown>
  checkCredentials: (caller: Caller) => void
  /** Whether there is more to decide than that: a subject, an ability, a tier. */
  isGuarded: boolean
  decode: ReturnType<typeof compileDecoder>
  /** The status of an ordinary success. */
  status: number
}

/** Registers a route for each endpoint of a contract, under each of its paths. */
export function registerContract<C extends Contract>(
  server: FastifyInstance,
  app: App,
  contract: C,
  handlers: Handlers<C>,
  guard: AnonymousGuard,
): void {
  for (const [name, endpoint] of Object.entries(contract)) {
    if (handlers?.[name] === undefined) continue
    const route: Route = {
      endpoint,
      handle: handlers[name] as unknown as Route['handle'],
      checkCredentials: compileCredentialCheck(endpoint),
      isGuarded: isGuarded(endpoint),
      decode: compileDecoder(endpoint, app.config.tier),
      status: successStatus(endpoint),
    }
    for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
      server.route({
        method: endpoint.method,
        url: `/api/v4${path}`,
        ...(endpoint.bodyLimit === undefined ? {} : { bodyLimit: endpoint.bodyLimit }),
        // Not awaited by the framework, which would watch the whole answer go out for it.
        handler: (request, reply) => {
          answer(app, route, guard, request, reply).catch((error: unknown) => {
            sendError(error, request, reply)
          })
        },
      })
    }
  }
}

function isGuarded({ auth, tier }: EndpointSpec): boolean {
  return tier !== undefined || (typeof auth === 'object' && auth.on !== undefined)
}

function successStatus(endpoint: EndpointSpec): number {
  const statuses = Object.keys(endpoint.response).map(Number)
  return statuses.find((status) => status >= 200 && status < 300) ?? 200
}

async function answer(
  app: App,
  route: Route,
  guard: AnonymousGuard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { endpoint } = route
  const raw = hasNoBody(request) ? (request.query as Params) : await rawParams(request)
  const caller = await identify(app, guard, request, reply, raw)
  route.checkCredentials(caller)
  const input = route.decode(request.params as Params, raw)
  const subject = route.isGuarded ? await authorize(app, endpoint, caller, input.params) : undefined
  const result = await route.handle({
    app,
    caller,
    subject,
    params: input.params,
    query: input.query,
    body: input.body,
    sent: input.sent,
    page: input.page,
    headers: request.headers,
    method: request.method,
    get signal() {
      return signalOf(reply)
    },
  } as unknown as Call)
  if (endpoint.kind === 'raw') sendRaw(request, reply, result as RawAnswer)
  else sendJson(app, route, request, reply, result, input.keyset)
}

function hasNoBody({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Who calls; whoever is nobody, for want of a token or for a wrong one, counts against the limit. */
async function identify(
  app: App,
  guard: AnonymousGuard,
  request: FastifyRequest,
  reply: FastifyReply,
  raw: Params,
): Promise<Caller> {
  try {
    const caller = await authenticate(app, request, raw)
    if (caller.user === null) guard(request, reply)
    return caller
  } catch (error) {
    if (isUnauthorized(error)) guard(request, reply)
    throw error
  }
}

function isUnauthorized(error: unknown): boolean {
  if (!(error instanceof DomainError)) return false
  return error.code === 'unauthorized' || error.code === 'invalid_token'
}

/**
 * Ends when the client hangs up before its answer is complete. The answer tells, not the request: that one
 * is over as soon as its body was read.
 */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const look = () => {
    if (!raw.writableFinished) controller.abort()
  }
  // It may have happened before anybody asked.
  if (raw.destroyed) look()
  else raw.once('close', look)
  return controller.signal
}

function sendRaw(request: FastifyRequest, reply: FastifyReply, result: RawAnswer): unknown {
  reply
    .code(result.status ?? 200)
    .headers(result.headers)
    .header('X-Runtime', runtimeOf(reply))
  const etag = result.headers.etag
  if (etag !== undefined && isUnchanged(request, etag)) {
    if (result.body instanceof Readable) result.body.destroy()
    return reply.code(304).send()
  }
  return reply.send(result.body ?? undefined)
}

function sendJson(
  app: App,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  result: unknown,
  keyset: Keyset | undefined,
): unknown {
  reply.code(route.status)
  let body = result
  if (route.endpoint.paginated) {
    const page = result as Page<unknown>
    const url = app.config.externalUrl + request.url
    reply.headers(keyset ? keysetHeaders(page, keyset, url) : pageHeaders(page, url))
    body = page.items
  } else if (result instanceof Answer) {
    reply.code(result.status).headers(result.headers)
    body = result.body
  }
  if (body === undefined || reply.statusCode === 304) return reply.send()
  const text = JSON.stringify(body)
  app.checkAnswer?.(route.endpoint, reply.statusCode, text)
  if (route.endpoint.method === 'GET') {
    const etag = entityTag(text)
    reply.header('etag', etag)
    if (isUnchanged(request, etag)) return reply.code(304).send()
  }
  return sendJsonText(reply, text)
}

function entityTag(text: string): string {
  return `W/"${hash('sha1', text, 'base64url')}"`
}

/** Weak comparison (RFC 9110, 13.1.2): a proxy may have changed a strong tag to a weak one. */
function isUnchanged(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  const bare = etag.replace(/^W\//, '')
  return header.split(',').some((tag) => {
    const candidate = tag.trim()
    return candidate === '*' || candidate.replace(/^W\//, '') === bare
  })
}
