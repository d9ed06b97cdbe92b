import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const program = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { once } from 'node:events'
  import { Worker } from 'node:worker_threads'
  import { limitThreadHeaps } from ${JSON.stringify(new URL('./thread-heaps.ts', import.meta.url).href)}

  const measure = \`
    import { parentPort } from 'node:worker_threads'
    import { getHeapSpaceStatistics } from 'node:v8'
    parentPort.postMessage(getHeapSpaceStatistics())
  \`
  const sizeOf = (spaces) => spaces.find((space) => space.space_name === 'new_space').space_size
  const ofThread = async () => {
    const [spaces] = await once(new Worker(measure, { eval: true }), 'message')
    return sizeOf(spaces)
  }
  const before = await ofThread()
  limitThreadHeaps()
  console.log(JSON.stringify({ before, after: await ofThread(), main: sizeOf(getHeapSpaceStatistics()) }))
`

/** New spaces in bytes, as in the options that the server is started with. */
async function measure(): Promise<{ before: number; after: number; main: number }> {
  const args = ['--min-semi-space-size=4', '--max-semi-space-size=4', '--input-type=module']
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--eval', program])
  return JSON.parse(stdout)
}

describe('limitThreadHeaps', () => {
  it('leaves the main thread its young generation, and gives threads a quarter of it', async () => {
    const mebibyte = 1024 * 1024
    const { before, after, main } = await measure()
    expect(before).toBeGreaterThanOrEqual(4 * mebibyte)
    expect(main).toBeGreaterThanOrEqual(4 * mebibyte)
    expect(after).toBeLessThanOrEqual(2 * mebibyte)
  })
})
