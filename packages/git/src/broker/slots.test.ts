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

  it('does not admit a waiter before its timeout', async () => {
    const slots = createSlots(1, 30)
    const release = await slots.take()
    const order: string[] = []
    const enter = async (name: string) => {
      const give = await slots.take()
      order.push(name)
      return give
    }
    const first = enter('first')
    await new Promise((resolve) => setTimeout(resolve, 15))
    const second = enter('second')
    ;(await first)()
    await new Promise(setImmediate)
    expect(order).toEqual(['first'])
    release()
    ;(await second)()
    expect(order).toEqual(['first', 'second'])
  })

  it('admits a waiter after its timeout, without a slot', async () => {
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
