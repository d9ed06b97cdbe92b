import { rm, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { countIndexed, indexOf } from '../measure/indexed-copy.ts'
import { readMemory, readProcessorTime } from '../measure/processes.ts'
import { type WaitsBeside, watchBoth } from '../measure/waits.ts'
import type { Target } from '../servers.ts'
import type { SearchedData } from './repositories.ts'

/** How the index of all repositories is made. */
export interface Indexing {
  repositories: number
  files: number
  /** Of text. */
  mebibytes: number
  seconds: number
  /** Seconds of processor time of the server and its git processes. */
  processorSeconds: number
  /** The size of the index as a share of the text. */
  share: number
  waits: WaitsBeside
  /** Resident MiB of the server: at the start, and the most meanwhile; and of its git processes. */
  memory: { before: number; peak: number; gitPeak: number }
}

/** Removes the index of a data folder, so that the next server makes it. */
export async function removeIndex(data: SearchedData): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(indexOf(data.folder) + end, { force: true })
}

/** Waits until a server that has just been started has indexed all repositories. */
export async function measureIndexing(
  target: Target,
  idle: Target,
  data: SearchedData,
): Promise<Indexing> {
  const started = performance.now()
  const processorTime = readProcessorTime(target.pid)
  const before = readMemory(target.pid).server
  let [peak, gitPeak] = [before, 0]
  const watch = await watchBoth(target, idle)
  const index = new Sqlite(indexOf(data.folder), { readonly: true })
  const count = countIndexed(index)
  try {
    while (count() < data.repositories.length) {
      await delay(100)
      const { server, children } = readMemory(target.pid)
      peak = Math.max(peak, server)
      gitPeak = Math.max(gitPeak, children)
    }
  } finally {
    index.close()
  }
  const seconds = (performance.now() - started) / 1000
  return {
    repositories: data.repositories.length,
    files: data.files,
    mebibytes: data.bytes / 1024 / 1024,
    seconds,
    processorSeconds: readProcessorTime(target.pid) - processorTime,
    share: (await stat(indexOf(data.folder))).size / data.bytes,
    waits: await watch.stop(),
    memory: { before, peak, gitPeak },
  }
}
