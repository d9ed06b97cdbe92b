import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { acquireLock, acquireSharedLock, type FileLock } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'

/**
 * On SQLite, workers share a lock of the data folder, so that a server that starts knows whether what
 * is marked as in progress is in progress.
 */
function lockPath({ data }: Config): string {
  return join(data, 'worker.lock')
}

const pauseMs = 50

/** Held as long as the worker runs. Waits for a server that cleans up after a crash. */
export async function lockAsWorker(config: Config): Promise<FileLock | undefined> {
  if (config.databaseUrl !== '') return undefined
  for (;;) {
    const lock = acquireSharedLock(lockPath(config))
    if (lock !== undefined) return lock
    await delay(pauseMs)
  }
}

/** Keeps workers from starting; undefined while one runs. */
export function lockOutWorkers(config: Config): FileLock | undefined {
  return acquireLock(lockPath(config))
}
