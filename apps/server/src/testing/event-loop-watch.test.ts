import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { watchEventLoop } from './event-loop-watch.ts'

/** Keeps the processor busy for some milliseconds of its time. */
function compute(ms: number): void {
  const start = process.threadCpuUsage()
  for (;;) {
    const { user, system } = process.threadCpuUsage(start)
    if (user + system > ms * 1000) return
  }
}

describe('watchEventLoop', () => {
  beforeAll(() => {
    const watch = watchEventLoop()
    for (let request = 0; request <= 50; request += 1) watch.note('GET /')
    watch.stop()
  })

  it('throws after the event loop was blocked for longer than the limit', async () => {
    const watch = watchEventLoop(50)
    await sleep(10)
    watch.note('GET /slow')
    compute(60)
    await sleep(10)
    watch.note('GET /fast')
    await sleep(10)
    expect(watch.stop).toThrow(/blocked for \d+ ms, of 50 ms allowed, during GET \/slow/)
  })

  it('allows as much work in pieces, and waiting', async () => {
    const watch = watchEventLoop(150)
    for (let piece = 0; piece < 20; piece += 1) {
      compute(10)
      await sleep(6)
    }
    expect(watch.stop).not.toThrow()
  })
})
