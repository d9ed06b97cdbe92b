import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { collectGarbageOnce } from '../platform/threads/collect-garbage.ts'
import { watchEventLoop } from './event-loop-watch.ts'

/** Keeps the processor busy for some milliseconds of its time. */
function compute(ms: number): void {
  const start = process.threadCpuUsage()
  for (;;) {
    const { user, system } = process.threadCpuUsage(start)
    if (user + system > ms * 1000) return
  }
}

/** The watch allows for a processor that is up to three times slower than at its fastest. */
describe('watchEventLoop', () => {
  it('throws after the event loop was blocked for longer than the limit', async () => {
    const watch = watchEventLoop(50)
    await sleep(10)
    for (let id = 1; id <= 4; id += 1) watch.note(`GET /slow/${id}?page=${id}`)
    compute(200)
    await sleep(10)
    watch.note('GET /fast')
    await sleep(10)
    await expect(watch.stop()).rejects.toThrow(
      /blocked for \d+ ms, of 50 ms allowed, during GET \/slow\/4/,
    )
  })

  it('allows three times as much to the first requests of a kind', async () => {
    const watch = watchEventLoop(100)
    watch.note('GET /first')
    compute(150)
    await sleep(10)
    await watch.stop()
    const another = watchEventLoop(100)
    another.note('GET /another')
    compute(1000)
    await sleep(10)
    await expect(another.stop()).rejects.toThrow(/during GET \/another/)
  })

  it('allows three times as much to the start of another server', async () => {
    const watch = watchEventLoop(100)
    for (let id = 1; id <= 4; id += 1) watch.note(`GET /before/${id}`)
    const other = watchEventLoop(100)
    compute(150)
    await sleep(10)
    await watch.stop()
    await other.stop()
  })

  it('does not count work of the test itself', async () => {
    const watch = watchEventLoop(50)
    await sleep(10)
    watch.exclude(() => compute(200))
    await sleep(10)
    await watch.stop()
  })

  it('does not count full collections of a large heap, but what else was done in between', async () => {
    const heap = Array.from({ length: 1_000_000 }, (_, id) => ({ id, name: [`name ${id}`] }))
    await sleep(10)
    const watch = watchEventLoop(100)
    const other = watchEventLoop(100)
    for (let id = 1; id <= 4; id += 1) watch.note(`GET /collected/${id}`)
    for (let round = 0; round < 4; round += 1) collectGarbageOnce()
    await sleep(10)
    await watch.stop()
    collectGarbageOnce()
    compute(1000)
    await sleep(10)
    await expect(other.stop()).rejects.toThrow(/during GET \/collected\/4/)
    expect(heap).toHaveLength(1_000_000)
  })

  it('allows as much work in pieces, and waiting', async () => {
    const watch = watchEventLoop(150)
    for (let piece = 0; piece < 20; piece += 1) {
      compute(10)
      await sleep(6)
    }
    await watch.stop()
  })
})
