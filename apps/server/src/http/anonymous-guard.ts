import { DomainError } from '@stithy/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { createRateLimiter, rateLimitHeaders } from '../authentication/rate-limiter.ts'

/** Refuses callers without credentials when they come too often. @throws DomainError `too_many_requests` */
export type AnonymousGuard = (request: FastifyRequest, reply: FastifyReply) => void

/** More addresses than come in a second are an attack; their windows are short anyway. */
const capacity = 100_000

/**
 * Limits callers without credentials, by address and second (decisions: rate limits). Every answer to
 * them carries the `RateLimit-*` headers, so that a polite client can slow down in time.
 */
export function buildAnonymousGuard(app: App): AnonymousGuard {
  const limit = app.config.rateLimitAnonymous
  if (limit === 0) return () => {}
  const limiter = createRateLimiter({ limit, windowMs: 1000, now: app.now, capacity })
  return (request, reply) => {
    const verdict = limiter.hit(request.ip)
    reply.headers(rateLimitHeaders(verdict))
    if (verdict.allowed) return
    throw new DomainError('too_many_requests', { retryAfter: verdict.retryAfter })
  }
}
