import { DomainError, type ErrorCode, type ErrorDetail, notFound } from '@stithy/core'
import { GitError } from '@stithy/git'
import { StoreError } from '@stithy/store'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isInternalCall } from './internal-call.ts'
import { sendJsonText } from './json.ts'

/** Status, headers and body of one error. */
export interface ErrorResponse {
  status: number
  /** JSON, a text, or nothing. */
  body: object | string | null
  headers: Record<string, string>
}

/** The HTTP status of each error code. */
const statuses: Record<ErrorCode, number> = {
  moved: 302,
  not_modified: 304,
  invalid_parameter: 400,
  validation_failed: 400,
  bad_request: 400,
  unauthorized: 401,
  invalid_token: 401,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  unknown_route: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  unprocessable: 422,
  too_many_requests: 429,
  insufficient_storage: 507,
  unavailable: 503,
}

/** The HTTP status of an error code. */
export function statusOf(code: ErrorCode): number {
  return statuses[code]
}

type Body = (detail: ErrorDetail) => object | null

const withReason =
  (stock: string): Body =>
  ({ message }) => ({ message: message === undefined ? stock : `${stock} - ${message}` })

const messageOr =
  (stock: string): Body =>
  ({ message }) => ({ message: message ?? stock })

const bodies: Record<ErrorCode, Body> = {
  moved: ({ message }) => ({ message: message ?? '302 Found' }),
  not_modified: () => null,
  invalid_parameter: ({ message }) => ({ error: message ?? 'a parameter is invalid' }),
  validation_failed: ({ fields }) => ({ message: fields ?? {} }),
  bad_request: ({ message, error }) => ({
    message: error === undefined ? (message ?? '400 Bad Request') : { error },
  }),
  unauthorized: () => ({ message: '401 Unauthorized' }),
  invalid_token: ({ message }) => ({
    message: '401 Unauthorized',
    error: 'invalid_token',
    error_description: message ?? 'The token was revoked or has expired.',
  }),
  forbidden: (detail) =>
    detail.reasons === undefined ? withReason('403 Forbidden')(detail) : { error: detail.reasons },
  insufficient_scope: ({ scopes }) => ({
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: (scopes ?? []).join(' '),
  }),
  not_found: ({ message, fields }) => ({
    message: fields ?? (message === undefined ? '404 Not found' : `404 ${message} Not Found`),
  }),
  unknown_route: () => ({ error: '404 Not Found' }),
  method_not_allowed: ({ message }) =>
    message === undefined ? { error: '405 Not Allowed' } : { message },
  not_acceptable: messageOr('406 Not Acceptable'),
  conflict: ({ reasons, fields, message }) => ({
    message: reasons ?? fields ?? message ?? '409 Conflict',
  }),
  gone: ({ message }) => ({
    error: message ?? 'API V3 is no longer supported. Use API V4 instead.',
  }),
  precondition_failed: () => ({ message: '412 Precondition Failed' }),
  payload_too_large: messageOr('413 Request Entity Too Large'),
  unsupported_media_type: ({ message }) => ({
    error: message ?? 'The provided content-type is not supported.',
  }),
  range_not_satisfiable: () => ({ message: '416 Range Not Satisfiable' }),
  unprocessable: ({ error, message, reasons }) =>
    error === undefined ? { message: reasons ?? message ?? '422 Unprocessable Entity' } : { error },
  too_many_requests: messageOr('429 Too Many Requests'),
  insufficient_storage: messageOr('507 Insufficient Storage - The disk of the server is full'),
  unavailable: messageOr('503 Service Unavailable'),
}

/** Maps a thrown value to a response; only a `DomainError` exposes its message. */
export function errorResponseFor(error: unknown): ErrorResponse {
  const domain = asDomainError(error)
  if (domain === undefined) {
    return { status: 500, body: { message: '500 Internal Server Error' }, headers: {} }
  }
  const headers: Record<string, string> = {}
  const { retryAfter, methods, size } = domain.detail
  if (methods !== undefined) headers.Allow = methods.join(', ')
  if (size !== undefined) headers['Content-Range'] = `bytes */${size}`
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfter)))
  const body = domain.detail.text ?? bodies[domain.code](domain.detail)
  return { status: statuses[domain.code], body, headers }
}

/** Whether an error is answered with more than the status 500. */
export function isExpected(error: unknown): boolean {
  return asDomainError(error) !== undefined
}

function asDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error
  if (error instanceof StoreError) return fromStore(error)
  if (error instanceof GitError) return fromGit(error)
  if (isFastifyError(error)) return fromFastify(error)
  if (isDiskFull(error)) return new DomainError('insufficient_storage')
  return undefined
}

function fromStore(error: StoreError): DomainError | undefined {
  if (error.code === 'full') return new DomainError('insufficient_storage')
  if (error.code === 'busy') return new DomainError('unavailable', { retryAfter: 1 })
  // A row that this request refers to was deleted concurrently.
  if (error.code === 'reference') {
    return new DomainError('conflict', {
      message: '409 Conflict: A referenced resource was deleted',
    })
  }
  return undefined
}

/** Maps a git process that ended because it exceeded a limit. */
function fromGit(error: GitError): DomainError | undefined {
  if (error.code === 'timeout') {
    return new DomainError('unprocessable', { message: 'The repository took too long to answer' })
  }
  if (error.code === 'memory_limit') {
    return new DomainError('unprocessable', { message: 'The repository takes too much memory' })
  }
  if (error.code === 'output_limit') {
    return new DomainError('payload_too_large', { message: 'The response would be too large' })
  }
  return undefined
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && diskFullCodes.has(error.code)
}

const diskFullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error
}

function fromFastify(error: FastifyError): DomainError | undefined {
  const { statusCode = 500 } = error
  if (statusCode === 413) return new DomainError('payload_too_large')
  if (statusCode === 415) return new DomainError('unsupported_media_type')
  if (error.code === 'FST_ERR_BAD_URL') return new DomainError('bad_request')
  if (statusCode === 429) return new DomainError('too_many_requests')
  if (statusCode >= 400 && statusCode < 500) {
    return new DomainError('invalid_parameter', { message: 'the body could not be read' })
  }
  return undefined
}

/** Logs what only the operator may know, and sends the response. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  const { status, body, headers } = responseTo(error, request)
  logFailure(error, status, request, reply)
  reply.code(status).headers(headers)
  if (body === null) return reply.send()
  if (typeof body === 'string') return reply.type('text/plain; charset=utf-8').send(body)
  return sendJsonText(reply, JSON.stringify(body))
}

function responseTo(error: unknown, request: FastifyRequest): ErrorResponse {
  if (error instanceof DomainError && error.code === 'moved') return movedResponse(error, request)
  const response = errorResponseFor(error)
  if (response.status === 405)
    response.headers.Allow ??= [request.routeOptions.method ?? []].flat().join(', ')
  return response
}

/** As v4 clients know it; pages find out on their own what was moved where. */
function movedResponse(
  { detail: { message: title = '', movedId } }: DomainError,
  request: FastifyRequest,
): ErrorResponse {
  if (isInternalCall(request)) return errorResponseFor(notFound(title))
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const message = `Non GET methods are not allowed for moved ${title.toLowerCase()}s`
    const methods = ['GET', 'HEAD']
    return errorResponseFor(new DomainError('method_not_allowed', { message, methods }))
  }
  const location = request.url.replace(/^(\/api\/v4\/[^/]+\/)[^/?]+/, `$1${movedId}`)
  const message = `This resource has been moved permanently to ${location}`
  const response = errorResponseFor(new DomainError('moved', { message }))
  return { ...response, headers: { location } }
}

/** Logs an error that is no refusal. @param status that it is answered with */
export function logFailure(
  error: unknown,
  status: number,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // The client disconnected, which killed git; nobody reads the response.
  const isAbandoned = error instanceof GitError && error.code === 'aborted' && reply.raw.destroyed
  if (status >= 500 && !isAbandoned)
    request.log.error({ err: error, request_id: request.id }, 'a request failed')
}
