import type { TestServer } from './test-server.ts'

export const mebibyte = 1024 * 1024

/** Below it garbage is not collected, so that a sample costs nothing. */
const ignored = 50 * mebibyte

function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * The most memory that is held while work goes on, without garbage, in bytes more than at its start.
 */
export async function memoryGrowth(server: TestServer, work: () => Promise<void>): Promise<number> {
  server.collectGarbage()
  const before = heldBytes()
  let highest = 0
  const sample = () => {
    if (heldBytes() - before <= Math.max(highest, ignored)) return
    server.collectGarbage()
    highest = Math.max(highest, heldBytes() - before)
  }
  const timer = setInterval(sample, 10)
  await work().finally(() => clearInterval(timer))
  sample()
  return highest
}
