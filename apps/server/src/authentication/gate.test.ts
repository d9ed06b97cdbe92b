import { describe, expect, it } from 'vitest'
import { createGate } from './gate.ts'

describe('createGate', () => {
  it('lets so many run at a time, and all of them in the end', async () => {
    const gate = createGate(2)
    let running = 0
    let most = 0
    const work = async (fails: boolean) => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running -= 1
      if (fails) throw new Error('no')
      return 'done'
    }
    const all = Array.from({ length: 9 }, (_, i) => gate(() => work(i % 3 === 0)))
    const results = await Promise.allSettled(all)
    expect(most).toBe(2)
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(6)
    expect(await gate(async () => 'again')).toBe('again')
  })
})
