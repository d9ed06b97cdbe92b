import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { StoreError } from '../errors.ts'

/** Flushes the write-ahead log to disk, off the main thread. */
export interface WalSync {
  /** Resolves when everything committed before the call is on disk. */
  flush(): Promise<void>
  /** Waits for the running flush: its file descriptor must stay open. */
  close(): Promise<void>
}

/** `fdatasync` of the log; tests replace it. */
export type SyncFile = (fd: number) => Promise<void>

/**
 * Group commit: one `fdatasync` at a time, shared by all commits that wait for the next one.
 * @see https://sqlite.org/wal.html
 */
export function createWalSync(file: string, syncFile: SyncFile = promisify(fdatasync)): WalSync {
  let fd: number | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function start(): Promise<void> {
    next = undefined
    // SQLite keeps the log open and its name unchanged while a connection exists.
    fd ??= openSync(`${file}-wal`, 'r+')
    const current = syncFile(fd)
      .catch((error: unknown) => {
        throw new StoreError('unavailable', 'The database cannot be flushed to disk', error)
      })
      .finally(() => {
        if (running === current) running = undefined
      })
    running = current
    return current
  }

  return {
    flush() {
      if (running === undefined) return start()
      // The running flush may have begun before the caller's commit.
      next ??= running.then(start, start)
      return next
    },
    async close() {
      await (next ?? running)?.catch(() => {})
      if (fd !== undefined) closeSync(fd)
    },
  }
}
