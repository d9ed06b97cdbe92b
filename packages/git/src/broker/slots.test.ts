import { describe, expect, it } from 'vitest'
import { createSlots } from './slots.ts'

describe('slots', () => {
  it('let in as many as there are places, in the order of coming', async () => {
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

  it('lets those ahead who have waited long enough, in a place that is not counted', async () => {
    const slots = createSlots(1, 20)
    const release = await slots.take()
    const impatient = await slots.take()
    impatient()
    const third = slots.take()
    release()
    const releaseThird = await third
    let fourth = false
    const waiting = slots.take().then((give) => {
      fourth = true
      return give
    })
    await Promise.resolve()
    expect(fourth).toBe(false)
    releaseThird()
    ;(await waiting)()
  })
})
