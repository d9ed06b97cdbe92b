import { DomainError } from '@stithy/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { requestLimitTable } from '../config/request-limits.ts'
import type { AnonymousGuard } from './anonymous-guard.ts'
import type { BodySlots } from './body-slots.ts'
import type { Caller } from './call.ts'
import { isInternalCall } from './internal-call.ts'
import type { Params } from './nested-params.ts'
import { admitUser } from './user-limits.ts'

/** Identifies the caller by the credentials of a request. */
type Authenticate = (app: App, request: FastifyRequest, params: Params) => Promise<Caller>

declare module 'fastify' {
  interface FastifyRequest {
    /** The user who is acting, for the log; null until they are known. */
    userId: number | null
  }
  interface FastifyContextConfig {
    /** The route counts anonymous callers itself; otherwise every caller counts as one. */
    identifiesCaller?: true
  }
}

/** Identifies the caller of a route outside of the API, in the same way. */
export type IdentifyCaller = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>

/** Counts the caller of what is no endpoint. @throws DomainError `too_many_requests` */
export type CountCaller = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** What is missing is missing for every caller, but only those without a valid token count. */
export function compileCallerCount(identifyCaller: IdentifyCaller): CountCaller {
  return async (request, reply) => {
    try {
      await identifyCaller(request, reply)
    } catch (error) {
      if (error instanceof DomainError && error.code === 'too_many_requests') throw error
    }
  }
}

/** What runs before every handler. */
export interface RequestGuards {
  authenticate: Authenticate
  guard: AnonymousGuard
  bodies: BodySlots
}

/** Parameters that may also be in the body. */
const credentialParams = ['private_token', 'access_token', 'sudo'] as const

/** Identifies the caller; requests without a valid token count against the anonymous rate limit. */
export async function identify(
  app: App,
  guards: RequestGuards,
  request: FastifyRequest,
  reply: FastifyReply,
  params: Params,
): Promise<Caller> {
  try {
    const caller = await guards.authenticate(app, request, params)
    if (caller.user === null) guards.guard(request, reply)
    else admitUser(app, request, caller.user.id)
    return caller
  } catch (error) {
    if (isUnauthorized(error)) guards.guard(request, reply)
    throw error
  }
}

/**
 * Identifies the caller by headers and query before the body is read; undefined if the body, which
 * is small then, may contain a token.
 * @throws DomainError as `identify` does; `unauthorized` for a large body without credentials.
 */
export function identifyBeforeBody(
  app: App,
  guards: RequestGuards,
  request: FastifyRequest,
  reply: FastifyReply,
  needsToken: boolean,
): Promise<Caller | undefined> {
  return countRefusals(guards, request, reply, async () => {
    const caller = await guards.authenticate(app, request, request.query as Params)
    if (caller.user !== null) {
      admitUser(app, request, caller.user.id)
      return caller
    }
    // Bodies of pages are made here, of what was read and may be shown.
    if (isInternalCall(request) || hasSmallBody(request)) return undefined
    throw new DomainError(needsToken ? 'unauthorized' : 'payload_too_large')
  })
}

/** Counts a caller without a valid token against the anonymous rate limit. */
export async function countRefusals<T>(
  { guard }: Pick<RequestGuards, 'guard'>,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUnauthorized(error)) guard(request, reply)
    throw error
  }
}

/** Whether the body names another caller than headers and query do. */
export function hasOwnCredentials(request: FastifyRequest, params: Params): boolean {
  const query = request.query as Params
  return credentialParams.some((name) => params[name] !== query[name])
}

function hasSmallBody({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  return Number(headers['content-length'] ?? 0) <= requestLimitTable.body.anonymousBytes.value
}

function isUnauthorized(error: unknown): boolean {
  if (!(error instanceof DomainError)) return false
  return error.code === 'unauthorized' || error.code === 'invalid_token'
}
