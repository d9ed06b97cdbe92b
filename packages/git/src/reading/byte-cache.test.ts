import { describe, expect, it } from 'vitest'
import { createByteCache } from './byte-cache.ts'

describe('the byte cache', () => {
  it('evicts the least recently used entries, and never exceeds its capacity', () => {
    const cache = createByteCache(16_000)
    for (let index = 0; index < 16; index += 1) {
      cache.set(`${index}`, index, 800)
      expect(cache.get('0')).toBe(0)
      expect(cache.bytes).toBeLessThanOrEqual(16_000)
    }
    cache.set('last', 'x', 800)
    expect(cache.get('0')).toBe(0)
    expect(cache.get('1')).toBeUndefined()
    expect(cache.get('last')).toBe('x')
  })

  it('counts a replaced entry once, and rejects entries that are too large', () => {
    const cache = createByteCache(16_000)
    cache.set('a', 1, 1000)
    const { bytes } = cache
    cache.set('a', 2, 1000)
    expect(cache.bytes).toBe(bytes)
    cache.set('b', 3, 11_000)
    expect(cache.get('b')).toBe(3)
    cache.set('a', 3, 12_000)
    expect(cache.get('a')).toBeUndefined()
    expect(cache.bytes).toBe(11_200)
  })
})
