import { describe, expect, it } from 'vitest'
import { createRateLimiter, rateLimitHeaders } from './rate-limiter.ts'

function build(capacity = 100) {
  let time = 0
  const limiter = createRateLimiter({ limit: 2, windowMs: 1000, now: () => time, capacity })
  return { limiter, advance: (ms: number) => (time += ms) }
}

describe('createRateLimiter', () => {
  it('allows a number of attempts per window and key', () => {
    const { limiter, advance } = build()
    const shared = { limit: 2, retryAfter: 1 }
    expect(limiter.hit('a')).toEqual({ ...shared, allowed: true, remaining: 1 })
    advance(300)
    expect(limiter.hit('a')).toEqual({ ...shared, allowed: true, remaining: 0 })
    expect(limiter.hit('a')).toEqual({ ...shared, allowed: false, remaining: 0 })
    expect(limiter.hit('b').allowed).toBe(true)
    advance(700)
    expect(limiter.hit('a').allowed).toBe(true)
  })

  it('does not count an attempt that was decremented', () => {
    const { limiter } = build()
    limiter.hit('a')
    limiter.hit('a')
    limiter.decrement('a')
    limiter.decrement('unknown')
    expect(limiter.hit('a').allowed).toBe(true)
    expect(limiter.hit('a').allowed).toBe(false)
  })

  it('does not count rejected attempts', () => {
    const { limiter } = build()
    for (let i = 0; i < 5; i += 1) limiter.hit('a')
    limiter.decrement('a')
    expect(limiter.hit('a').allowed).toBe(true)
  })

  it('stores at most capacity keys, and evicts the oldest first', () => {
    const { limiter } = build(3)
    for (const key of ['a', 'b', 'c', 'd']) {
      limiter.hit(key)
      limiter.hit(key)
    }
    for (const key of ['d', 'c', 'b']) expect(limiter.hit(key).allowed).toBe(false)
    expect(limiter.hit('a').allowed).toBe(true)
  })
})

describe('rateLimitHeaders', () => {
  it('states the limit, the remaining attempts and the reset time', () => {
    expect(rateLimitHeaders({ allowed: false, limit: 10, remaining: 0, retryAfter: 42 })).toEqual({
      'RateLimit-Limit': '10',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '42',
    })
  })
})
