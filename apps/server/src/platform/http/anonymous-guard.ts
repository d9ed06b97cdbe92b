import { DomainError } from '@stithy/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { clientNetwork } from './client-network.ts'
import { isInternalCall } from './internal-call.ts'
import { createRateLimiter, rateLimitHeaders } from './rate-limiter.ts'
import { limitAnonymous } from './user-limits.ts'

/** Rejects callers without credentials over the limit. @throws DomainError `too_many_requests` */
export type AnonymousGuard = (request: FastifyRequest, reply: FastifyReply) => void

/** More addresses in one second are an attack; windows are that short. */
const capacity = 100_000

/**
 * Limits callers without credentials, by network and second. Every response to them has the
 * `RateLimit-*` headers, so that clients can slow down in time.
 */
export function buildAnonymousGuard(app: App): AnonymousGuard {
  const limit = app.config.rateLimitAnonymous
  if (limit === 0) {
    return (request) => {
      if (!isInternalCall(request)) limitAnonymous(app, request.ip)
    }
  }
  const limiter = createRateLimiter({ limit, windowMs: 1000, now: app.now, capacity })
  const counted = new WeakSet<FastifyRequest>()
  return (request, reply) => {
    if (isInternalCall(request) || counted.has(request)) return
    counted.add(request)
    const rateLimit = limiter.hit(clientNetwork(request.ip))
    reply.headers(rateLimitHeaders(rateLimit))
    if (rateLimit.allowed) return limitAnonymous(app, request.ip)
    throw new DomainError('too_many_requests', { retryAfter: rateLimit.retryAfter })
  }
}
