import { setTimeout as delay } from 'node:timers/promises'
import { load } from '../load/load.ts'
import { requestHeaders, rows } from '../rows.ts'
import { startStithy } from '../servers.ts'
import { type Memory, readMemory } from './processes.ts'

export interface MemoryFigures {
  /** Five seconds after the start. */
  idle: Memory
  /** Five seconds after every row was loaded. */
  used: Memory
}

/** The maximum MiB of the idle server process. */
export const memoryGoal = 120

export async function measureMemory(folder: string): Promise<MemoryFigures> {
  const server = await startStithy(folder)
  try {
    await delay(5000)
    const idle = readMemory(server.pid)
    for (const { path } of rows) await load(server.url + path, requestHeaders, 2)
    await delay(5000)
    return { idle, used: readMemory(server.pid) }
  } finally {
    await server.stop()
  }
}
