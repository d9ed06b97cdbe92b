import { describe, expect, it } from 'vitest'
import { inBatches } from './in-batches.ts'

/** The sizes of the batches in which `rows` rows of `msPerRow` each are processed. */
async function sizesOf(rows: number, msPerRow: number, maxSize?: number): Promise<number[]> {
  const sizes: number[] = []
  let [left, clock] = [rows, 0]
  const work = async (limit: number) => {
    const changed = Math.min(limit, left)
    left -= changed
    clock += changed * msPerRow
    sizes.push(changed)
    return changed
  }
  await inBatches(work, maxSize, () => clock)
  expect(left).toBe(0)
  return sizes
}

describe('inBatches', () => {
  it('makes batches larger while they are short, up to the maximum', async () => {
    const sizes = await sizesOf(2000, 0.01, 200)
    expect(sizes.slice(0, 5)).toEqual([20, 40, 80, 160, 200])
    expect(Math.max(...sizes)).toBe(200)
  })

  it('makes them smaller when they take long', async () => {
    const sizes = await sizesOf(200, 2)
    expect(sizes.slice(0, 3)).toEqual([20, 10, 10])
    expect((await sizesOf(200, 100)).slice(0, 3)).toEqual([20, 5, 5])
  })

  it('ends with the first incomplete batch', async () => {
    expect(await sizesOf(0, 1)).toEqual([0])
    expect(await sizesOf(20, 1)).toEqual([20, 0])
    expect(await sizesOf(19, 1)).toEqual([19])
  })
})
