import { describe, expect, it } from 'vitest'
import { createSlots } from './slots.ts'

describe('slots', () => {
  it('admit as many as there are slots, in order of arrival', async () => {
    const slots = createSlots(2)
    const order: string[] = []
    const enter = async (name: string) => {
      const release = await slots.take()
      order.push(name)
      return release
    }
    const [first, , third, fourth] = ['a', 'b', 'c', 'd'].map(enter)
    await new Promise(setImmediate)
    expect(order).toEqual(['a', 'b'])
    const release = await first
    release?.()
    release?.()
    await third
    await new Promise(setImmediate)
    expect(order).toEqual(['a', 'b', 'c'])
    ;(await third)?.()
    await fourth
    expect(order).toEqual(['a', 'b', 'c', 'd'])
  })
})
