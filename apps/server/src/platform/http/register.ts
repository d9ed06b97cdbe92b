import type { Readable } from 'node:stream'
import { type Contract, type EndpointSpec, hasContent } from '@stithy/core'
import { type Page, withRequestId } from '@stithy/store'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { App } from '../app.ts'
import { requestLimitTable } from '../config/request-limits.ts'
import { type Authorize, compileAuthorization } from './authorize.ts'
import { requireIdentity } from './body-parsers.ts'
import {
  Answer,
  type Call,
  type Caller,
  type Content,
  type Handlers,
  type RawResponse,
} from './call.ts'
import { checkedBy } from './check-answer.ts'
import { answerContent } from './content.ts'
import { compileCredentialCheck, requiresToken } from './credentials.ts'
import { compileDecoder, compilePathDecoder } from './decode.ts'
import { entityTag, entityTagOf, sendIfUnchanged } from './entity-tag.ts'
import { isExpected, sendError } from './errors.ts'
import { hasOwnCredentials, identify, identifyBeforeBody, type RequestGuards } from './identify.ts'
import { isInternalCall, isPermissionCheck } from './internal-call.ts'
import { runtimeOf, sendJsonChunks, sendJsonText } from './json.ts'
import { keptJsonOf } from './kept-json.ts'
import type { Keyset } from './keyset.ts'
import { encodeLongJson, hasLongText, type LongBody } from './long-json.ts'
import type { Params } from './nested-params.ts'
import { keysetHeaders, pageHeaders } from './pagination.ts'
import { rawParams } from './raw-params.ts'
import { receivedFilesFolder } from './received-files.ts'
import { runInRequest } from './request-context.ts'
import { bodyOf } from './sent-body.ts'
import { isStillAllowed } from './still-allowed.ts'

/** What a route needs of its contract, computed once. */
interface Route {
  endpoint: EndpointSpec
  handle: (call: Call) => Promise<unknown>
  checkCredentials: (caller: Caller) => void
  /** Checks the subject, the ability and the tier; undefined where there is nothing to check. */
  authorize: Authorize | undefined
  decode: ReturnType<typeof compileDecoder>
  decodePath: ReturnType<typeof compilePathDecoder>
  /** HTTP status of a success. */
  status: number
}

/** Registers a route for each endpoint of a contract, under each of its paths. */
export function registerContract<C extends Contract>(
  server: FastifyInstance,
  app: App,
  contract: C,
  handlers: Handlers<C>,
  guards: RequestGuards,
): void {
  for (const [name, endpoint] of Object.entries(contract)) {
    if (handlers?.[name] === undefined) continue
    const route: Route = {
      endpoint,
      handle: handlers[name] as unknown as Route['handle'],
      checkCredentials: compileCredentialCheck(endpoint),
      authorize: compileAuthorization(endpoint, app.subjects),
      decode: compileDecoder(endpoint, app.config.tier),
      decodePath: compilePathDecoder(endpoint, app.config.tier),
      status: successStatus(endpoint),
    }
    for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
      addRoute(server, endpoint, {
        // Fastify would make a second route for HEAD, with hooks of its own.
        method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
        url: `/api/v4${path}`,
        config: { identifiesCaller: true },
        ...(endpoint.bodyLimit === undefined ? {} : { bodyLimit: endpoint.bodyLimit }),
        ...(hasNoBody(endpoint) ? {} : { onRequest: readCallerFirst(app, route, guards) }),
        ...(app.checkAnswer === undefined ? {} : { onSend: checkedBy(app.checkAnswer, endpoint) }),
        // Not awaited by Fastify, which would track the whole response for it.
        handler: (request, reply) => {
          respond(app, route, guards, request, reply).catch((error: unknown) => {
            sendError(error, request, reply)
          })
        },
      })
    }
  }
}

/** A file that is the whole body is not parsed, but received like that of a form. */
function addRoute(server: FastifyInstance, { jsonFile }: EndpointSpec, route: RouteOptions): void {
  if (jsonFile === undefined) {
    server.route(route)
    return
  }
  server.register(async (scope) => {
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser(
      'application/json',
      async (request: FastifyRequest, body: Readable) => {
        requireIdentity(request)
        return body
      },
    )
    scope.route(route)
  })
}

function successStatus(endpoint: EndpointSpec): number {
  const statuses = Object.keys(endpoint.response).map(Number)
  return statuses.find((status) => status >= 200 && status < 300) ?? 200
}

async function respond(
  app: App,
  route: Route,
  guards: RequestGuards,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { endpoint } = route
  const raw = hasNoBody(request)
    ? (request.query as Params)
    : await rawParams(request, {
        jsonFile: endpoint.jsonFile,
        reply,
        folder: receivedFilesFolder(app.config),
      })
  const known = callers.get(request)
  const caller =
    known === undefined || hasOwnCredentials(request, raw)
      ? await identify(app, guards, request, reply, raw)
      : known
  route.checkCredentials(caller)
  if (isPermissionCheck(request)) return checkPermission(app, route, caller, request, reply)
  const input = route.decode(request.params as Params, raw)
  const subject = await route.authorize?.(app, caller, input.params)
  const call = {
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
    // A getter would make V8 give each call a hidden class of its own, which keeps its request in
    // memory until the next major garbage collection.
    signal: () => signalOf(reply),
    isStillAllowed: () =>
      isStillAllowed(app, route, guards, { request, caller, params: input.params }),
  } as unknown as Call
  let result: unknown
  try {
    result = await handleInContext(route, request, call)
  } catch (error) {
    throw await failureOf(app, route, caller, input.params, error)
  }
  if (hasContent(endpoint)) sendRaw(request, reply, await answerContent(request, result as Content))
  else if (endpoint.kind === 'raw') sendRaw(request, reply, result as RawResponse)
  else await sendJson(app, route, request, reply, result, input.keyset)
}

/** Answers who asks for permission alone: with 204, or as a call would be refused. */
async function checkPermission(
  app: App,
  { authorize, decodePath }: Route,
  caller: Caller,
  { params }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await authorize?.(app, caller, decodePath(params as Params))
  reply.code(204).send()
}

/** What a write records names its client, and its jobs the request; reads do neither. */
function handleInContext({ handle }: Route, request: FastifyRequest, call: Call): Promise<unknown> {
  if (hasNoBody(request)) return handle(call)
  const { user, impersonatedBy } = call.caller
  const context = { address: request.ip, user, impersonatedBy }
  return withRequestId(request.id, () => runInRequest(context, () => handle(call)))
}

/**
 * The error that is answered: if something failed because the subject was deleted meanwhile, such as
 * git without its repository, the one of a call that comes afterwards.
 */
async function failureOf(
  app: App,
  { authorize }: Route,
  caller: Caller,
  params: Params,
  error: unknown,
): Promise<unknown> {
  if (authorize === undefined || isExpected(error)) return error
  try {
    await authorize(app, caller, params)
  } catch (later) {
    if (isExpected(later)) return later
  }
  return error
}

/** The most that an endpoint without a limit of its own reads: a form with a file. */
const maxBodyBytes = requestLimitTable.body.multipartBytes.value

/** The callers that were identified before the body was read. */
const callers = new WeakMap<FastifyRequest, Caller>()

function readCallerFirst(app: App, { endpoint, checkCredentials }: Route, guards: RequestGuards) {
  const needsToken = requiresToken(endpoint)
  const limit = endpoint.bodyLimit ?? maxBodyBytes
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = await identifyBeforeBody(app, guards, request, reply, needsToken)
    if (caller === undefined || caller.user === null) return
    checkCredentials(caller)
    callers.set(request, caller)
    await guards.bodies.admit(request, reply, caller.user.id, limit)
  }
}

function hasNoBody({ method }: { method: string }): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * Returns a signal that aborts when the client disconnects before its response is complete. It
 * watches the response: the request has ended as soon as its body was read.
 */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (!raw.writableFinished) controller.abort()
  }
  // It may have disconnected before this call.
  if (raw.destroyed) abort()
  else raw.once('close', abort)
  return controller.signal
}

function sendRaw(
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, headers, body }: RawResponse,
): void {
  reply
    .code(status)
    .headers(headers)
    .header('x-runtime', runtimeOf(reply))
    .send(bodyOf(request, body))
}

/** Returns a promise only for a long text. */
function sendJson(
  app: App,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  result: unknown,
  keyset: Keyset | undefined,
): Promise<void> | undefined {
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
  // Pages ask for no entity tags.
  const isRead = route.endpoint.method === 'GET' && !isInternalCall(request)
  if (body === undefined || reply.statusCode === 304) {
    reply.send(bodyOf(request))
    return undefined
  }
  const kept = route.endpoint.method === 'GET' ? keptJsonOf(body) : undefined
  if (kept === undefined && hasLongText(body)) return sendLongJson(request, reply, body, isRead)
  const text = kept?.text ?? JSON.stringify(body)
  if (isRead && sendIfUnchanged(request, reply, kept?.etag ?? entityTag(text))) return undefined
  sendJsonText(reply, text)
  return undefined
}

async function sendLongJson(
  request: FastifyRequest,
  reply: FastifyReply,
  body: LongBody,
  isRead: boolean,
): Promise<void> {
  const chunks = await encodeLongJson(body)
  const etag = isRead ? await entityTagOf(chunks) : undefined
  if (etag !== undefined && sendIfUnchanged(request, reply, etag)) return
  sendJsonChunks(reply, chunks)
}
