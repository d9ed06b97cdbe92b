/** What became of a try, and how things stand after it. */
export interface RateVerdict {
  allowed: boolean
  /** Tries in one window. */
  limit: number
  /** Tries that are left in this window. */
  remaining: number
  /** Whole seconds until the window ends and a new one can begin; at least 1. */
  retryAfter: number
}

/** Counts tries by key. */
export interface RateLimiter {
  /** Counts a try, unless there are none left: a refused one makes nothing worse. */
  hit: (key: string) => RateVerdict
  /** Takes a counted try back: it turned out to be fine. */
  forgive: (key: string) => void
}

export interface RateLimiterOptions {
  /** Tries in one window. */
  limit: number
  windowMs: number
  /** Milliseconds since the epoch. */
  now: () => number
  /** Keys to remember; beyond them the oldest windows are forgotten. */
  capacity?: number
}

interface Window {
  count: number
  endsAt: number
}

/** A limiter in memory, with windows of a fixed length that begin with the first try. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { limit, windowMs, now, capacity = 10_000 } = options
  const windows = new Map<string, Window>()

  function current(key: string): Window | undefined {
    const window = windows.get(key)
    if (window === undefined || window.endsAt > now()) return window
    windows.delete(key)
    return undefined
  }

  /** Windows have one length, so the map holds them in the order of their ends. */
  function makeRoom(): void {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now() && windows.size < capacity) return
      windows.delete(key)
    }
  }

  function open(key: string): Window {
    makeRoom()
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
    forgive(key) {
      const window = current(key)
      if (window !== undefined && window.count > 0) window.count -= 1
    },
  }
}

/** The headers that tell a caller how things stand (decisions: rate limits). */
export function rateLimitHeaders(verdict: RateVerdict): Record<string, string> {
  return {
    'RateLimit-Limit': String(verdict.limit),
    'RateLimit-Remaining': String(verdict.remaining),
    'RateLimit-Reset': String(verdict.retryAfter),
  }
}
