import { LRUCache } from 'lru-cache'

/** The result of an attempt, and the state of its limit. */
export interface RateLimitResult {
  allowed: boolean
  /** Attempts per window. */
  limit: number
  /** Attempts left in this window. */
  remaining: number
  /** Whole seconds until the window ends; at least 1. */
  retryAfter: number
}

/** Counts attempts by key. */
export interface RateLimiter {
  /** Counts an attempt unless the limit is reached: rejected attempts don't extend it. */
  hit: (key: string) => RateLimitResult
  /** Subtracts an attempt that turned out to be legitimate. */
  decrement: (key: string) => void
}

export interface RateLimiterOptions {
  /** Attempts per window. */
  limit: number
  windowMs: number
  /** Milliseconds since the epoch. */
  now: () => number
  /** Maximum number of keys; the least recently used one is evicted. */
  capacity?: number
}

interface Window {
  count: number
  endsAt: number
}

/** Creates an in-memory limiter with fixed-length windows that start at the first attempt. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { limit, windowMs, now, capacity = 10_000 } = options
  // Not `max`, which would allocate memory for all of them up front.
  const windows = new LRUCache<string, Window>({ maxSize: capacity, sizeCalculation: () => 1 })

  function current(key: string): Window | undefined {
    const window = windows.get(key)
    return window !== undefined && window.endsAt > now() ? window : undefined
  }

  /** Drops ended windows, so memory is bounded by the recent keys rather than by `capacity`. */
  function dropEnded(): void {
    for (;;) {
      const [oldest] = windows.rvalues()
      if (oldest === undefined || oldest.endsAt > now()) return
      windows.pop()
    }
  }

  function open(key: string): Window {
    dropEnded()
    const window = { count: 0, endsAt: now() + windowMs }
    windows.set(key, window)
    return window
  }

  return {
    hit(key) {
      const window = current(key) ?? open(key)
      const allowed = window.count < limit
      if (allowed) window.count += 1
      const retryAfter = Math.max(1, Math.ceil((window.endsAt - now()) / 1000))
      return { allowed, limit, remaining: limit - window.count, retryAfter }
    },
    decrement(key) {
      const window = current(key)
      if (window !== undefined && window.count > 0) window.count -= 1
    },
  }
}

/** The `RateLimit-*` headers of a result. */
export function rateLimitHeaders(rateLimit: RateLimitResult): Record<string, string> {
  return {
    'RateLimit-Limit': String(rateLimit.limit),
    'RateLimit-Remaining': String(rateLimit.remaining),
    'RateLimit-Reset': String(rateLimit.retryAfter),
  }
}
