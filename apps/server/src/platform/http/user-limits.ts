import { DomainError, forbidden, type Settings } from '@stithy/core'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { App } from '../app.ts'
import { clientNetwork } from './client-network.ts'
import { isInternalCall } from './internal-call.ts'
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts'

/** The throttles of the application settings: `throttle_<name>_enabled` and its two numbers. */
const throttles = {
  unauthenticated: {
    limit: 'throttle_unauthenticated_requests_per_period',
    seconds: 'throttle_unauthenticated_period_in_seconds',
  },
  authenticated_api: {
    limit: 'throttle_authenticated_api_requests_per_period',
    seconds: 'throttle_authenticated_api_period_in_seconds',
  },
  authenticated_web: {
    limit: 'throttle_authenticated_web_requests_per_period',
    seconds: 'throttle_authenticated_web_period_in_seconds',
  },
} as const

type ThrottleName = keyof typeof throttles

/** Users and networks that are counted at a time; the least recently seen is forgotten. */
const capacity = 100_000

/** Addresses of one user that are remembered, whatever the settings say. */
const maxAddresses = 1000

interface Counts {
  limiters: Map<ThrottleName, { limit: number; seconds: number; limiter: RateLimiter }>
  /** When each address of a user was last seen, in milliseconds. */
  addresses: LRUCache<number, Map<string, number>>
}

const counts = new WeakMap<Readonly<Settings>, Counts>()

function countsOf({ settings }: App): Counts {
  const known = counts.get(settings)
  if (known !== undefined) return known
  const addresses = new LRUCache<number, Map<string, number>>({
    maxSize: capacity,
    sizeCalculation: () => 1,
  })
  const made: Counts = { limiters: new Map(), addresses }
  counts.set(settings, made)
  return made
}

/**
 * Notes for the log who calls, and counts the request where the application settings limit users:
 * `throttle_authenticated_*` and `unique_ips_limit_*`.
 * @throws DomainError `too_many_requests`, `forbidden`
 */
export function admitUser(app: App, request: FastifyRequest, userId: number): void {
  const { settings } = app
  request.userId = userId
  if (isInternalCall(request)) return
  const isApi = request.url.startsWith('/api/')
  const isThrottled = isApi
    ? settings.throttle_authenticated_api_enabled
    : settings.throttle_authenticated_web_enabled
  if (isThrottled) throttle(app, isApi ? 'authenticated_api' : 'authenticated_web', String(userId))
  if (settings.unique_ips_limit_enabled) limitAddresses(app, userId, request.ip)
}

/**
 * Counts a request without valid credentials: `throttle_unauthenticated_*`.
 * @throws DomainError `too_many_requests`
 */
export function limitAnonymous(app: App, address: string): void {
  if (app.settings.throttle_unauthenticated_enabled) {
    throttle(app, 'unauthenticated', clientNetwork(address))
  }
}

function throttle(app: App, name: ThrottleName, key: string): void {
  const { allowed, retryAfter } = limiterOf(app, name).hit(key)
  if (allowed) return
  throw new DomainError('too_many_requests', { retryAfter, text: 'Retry later\n' })
}

/** A limit that was changed starts to count anew. */
function limiterOf(app: App, name: ThrottleName): RateLimiter {
  const { limiters } = countsOf(app)
  const limit = app.settings[throttles[name].limit]
  const seconds = app.settings[throttles[name].seconds]
  const known = limiters.get(name)
  if (known?.limit === limit && known.seconds === seconds) return known.limiter
  const { now } = app
  const limiter = createRateLimiter({ limit, windowMs: seconds * 1000, now, capacity })
  limiters.set(name, { limit, seconds, limiter })
  return limiter
}

/** A user keeps the addresses that they have; only further ones are refused. */
function limitAddresses(app: App, userId: number, address: string): void {
  const { unique_ips_limit_per_user: limit, unique_ips_limit_time_window: seconds } = app.settings
  const { addresses } = countsOf(app)
  const now = app.now()
  const seen = addresses.get(userId) ?? new Map<string, number>()
  for (const [other, at] of seen) if (at + seconds * 1000 <= now) seen.delete(other)
  if (!seen.has(address) && seen.size >= Math.min(limit, maxAddresses)) throw forbidden()
  seen.set(address, now)
  addresses.set(userId, seen)
}
