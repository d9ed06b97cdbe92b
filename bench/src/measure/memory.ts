import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serverScriptOf } from '../paths.ts'
import { startStithy, type Target } from '../servers.ts'
import { copyIndexed } from './indexed-copy.ts'
import { type MixedLoad, runMixedLoad } from './mixed-load.ts'
import { readShare, type Share } from './private-memory.ts'
import { readProcessorTime } from './processes.ts'

export interface MemoryFigures {
  minutes: number
  /** Ten seconds after the start. */
  idle: Share
  /** At the middle of the load, at its end, and the most: medians of samples of half a minute. */
  middle: Share
  end: Share
  peak: Share
  /** A minute and a half after the load, when threads and processes without work have ended. */
  rest: Share
  load: MixedLoad
  /** Processor time of the server and the processes below it, in seconds. */
  processorTime: number
}

/** The maximum MiB of the server and its git broker. */
export const memoryGoals = { idle: 120, used: 260 } as const

const samplePause = 2000
const window = 15
const restMs = 90_000

/**
 * Memory at rest and under a mixed load of some minutes, on copies of the data: of this checkout,
 * and first of another one, at the same time.
 */
export function compareMemory(
  data: string,
  minutes: number,
  before: string | undefined,
): Promise<MemoryFigures[]> {
  const scripts = before === undefined ? [] : [serverScriptOf(before)]
  return Promise.all([...scripts, undefined].map((script) => measureMemory(data, minutes, script)))
}

async function measureMemory(
  data: string,
  minutes: number,
  script?: string,
): Promise<MemoryFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'stithy-memory-'))
  try {
    const copy = join(folder, 'data')
    await copyIndexed(data, copy)
    const server = await startStithy(copy, { core: 'any', script })
    try {
      return await measure(server, folder, minutes)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(server: Target, folder: string, minutes: number): Promise<MemoryFigures> {
  await delay(10_000)
  const idle = readShare(server.pid)
  const before = readProcessorTime(server.pid)
  const samples: Share[] = []
  const timer = setInterval(() => samples.push(readShare(server.pid)), samplePause)
  const ended = AbortSignal.timeout(minutes * 60_000)
  const load = await runMixedLoad(server, folder, ended).finally(() => clearInterval(timer))
  const processorTime = readProcessorTime(server.pid) - before
  const medians = samples.map((_, index) =>
    median(samples.slice(Math.max(0, index - window), index + 1)),
  )
  await delay(restMs)
  return {
    minutes,
    idle,
    middle: medians[Math.floor(medians.length / 2)] ?? idle,
    end: medians.at(-1) ?? idle,
    peak: medians.toSorted((a, b) => b.alone - a.alone)[0] ?? idle,
    rest: readShare(server.pid),
    load,
    processorTime,
  }
}

function median(shares: readonly Share[]): Share {
  const sorted = shares.toSorted((a, b) => a.alone - b.alone)
  return sorted[Math.floor(sorted.length / 2)] ?? { pss: 0, alone: 0, git: 0 }
}
