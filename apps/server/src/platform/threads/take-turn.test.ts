import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { takeTurn } from './take-turn.ts'

let now = 0

beforeEach(async () => {
  // What was done before has had its turn.
  await new Promise(setImmediate)
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Does pieces of work that take some milliseconds each, all at once; returns how many each turn has. */
async function work(pieces: number, ms: number): Promise<number[]> {
  const turns: number[] = []
  let inTurn = 0
  let left = pieces
  const count = () => {
    turns.push(inTurn)
    inTurn = 0
    if (left > 0) setImmediate(count)
  }
  const run = async () => {
    await takeTurn()
    now += ms
    inTurn += 1
    left -= 1
  }
  const all = Array.from({ length: pieces }, run)
  setImmediate(count)
  await Promise.all(all)
  await new Promise(setImmediate)
  return turns.filter((done) => done > 0)
}

describe('takeTurn', () => {
  it('leaves long pieces of work to turns of their own', async () => {
    expect(await work(5, 30)).toEqual([1, 1, 1, 1, 1])
  })

  it('allows some milliseconds of short ones in a turn', async () => {
    expect(await work(7, 4)).toEqual([3, 3, 1])
  })

  it('holds up nothing if there is little to do', async () => {
    expect(await work(100, 0.01)).toEqual([100])
  })
})
