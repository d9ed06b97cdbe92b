import { statSync } from 'node:fs'
import type { StoreLogger } from '../queries/queries.ts'
import type { ConnectionSetup } from './connection.ts'
import { askThread, createIdleThread, startThread, type ThreadScripts } from './database-thread.ts'

export type CheckpointMode = 'passive' | 'restart' | 'truncate'

export interface CheckpointAnswer {
  /** Frames in the log, each a page with a header. */
  frames: number
  error?: string
}

export interface CheckpointOptions extends ConnectionSetup {
  /** The bundled workers; default: those beside this module. */
  scripts?: ThreadScripts | undefined
  /** Runs an action while nothing in this process writes. */
  exclusively: <T>(action: () => Promise<T>) => Promise<T>
  logger: StoreLogger
  /** How long the thread waits for the next one before it ends, in milliseconds; default 2 seconds. */
  idleMs?: number
}

/** Copies committed pages from the write-ahead log into the database file, off the main thread. */
export interface Checkpoints {
  /** Call after each commit; `isLarge` after one of megabytes, so that it is looked at. */
  committed(isLarge?: boolean): void
  close(): Promise<void>
}

const mebibyte = 1024 * 1024
const frameBytes = 4096 + 24

/** The log is looked at after as many commits, so that its size is known without one look each. */
const commitsPerLook = 32
/** The same while it is checkpointed. */
const commitsPerLookMeanwhile = 4
/** Size of the log file from which it is checkpointed. */
const checkpointBytes = 16 * mebibyte
/** Size of the content from which writers wait until the log starts from the beginning again. */
const restartBytes = 20 * mebibyte
/**
 * Size of the log file from which it is truncated as well, and writers wait for a checkpoint that
 * is running: on a busy machine it may be slower than they are.
 */
const truncateBytes = 40 * mebibyte

/** Under steady writes the next one comes earlier. Otherwise, the thread would keep 8 MiB. */
const defaultIdleMs = 2000

/**
 * A passive checkpoint disturbs neither readers nor writers, but a log that is always written to
 * would never end; above 20 MiB the writers of this process wait for the rest of a checkpoint,
 * which follows a passive one and so is short.
 */
export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const { file, exclusively, logger } = options
  const { ask, end } = createThread(options)
  let commits = 0
  let running: Promise<void> | undefined
  /** The passive part of the one that is running. */
  let copying: Promise<CheckpointAnswer> | undefined
  /** Its rest, which writers wait for already. */
  let held: Promise<unknown> | undefined
  let closed = false

  const logSize = () => statSync(`${file}-wal`).size

  async function checkpoint(): Promise<void> {
    const size = logSize()
    if (size < checkpointBytes) return
    copying = ask('passive')
    const { frames } = await copying
    copying = undefined
    if (held !== undefined) await held
    else if (frames * frameBytes >= restartBytes) {
      await exclusively(() => ask(size < truncateBytes ? 'restart' : 'truncate'))
    }
  }

  /** Lets writers wait until the checkpoint has finished, and the log is empty. */
  function holdWriters(): void {
    if (copying === undefined || held !== undefined || logSize() < truncateBytes) return
    const copied = copying
    held = exclusively(() => copied.then(() => ask('truncate')))
    // Whoever waits for the checkpoint learns of it.
    held.catch(() => undefined)
  }

  async function run(): Promise<void> {
    try {
      await checkpoint()
    } catch (error) {
      logger.error({ err: error }, 'A checkpoint failed')
    }
    running = copying = held = undefined
  }

  return {
    committed(isLarge = false) {
      commits += isLarge ? commitsPerLook : 1
      if (closed || commits < (running === undefined ? commitsPerLook : commitsPerLookMeanwhile)) {
        return
      }
      commits = 0
      if (running === undefined) running = run()
      else holdWriters()
    },
    async close() {
      closed = true
      await running
      await end()
    },
  }
}

/** The thread that makes the checkpoints; it starts when one is due, and ends when none follows. */
function createThread(options: CheckpointOptions) {
  const { scripts, idleMs = defaultIdleMs } = options
  const start = () => ({ worker: startThread('checkpoint', options, scripts) })
  const { use, rest, end } = createIdleThread(start, idleMs)
  return {
    async ask(mode: CheckpointMode): Promise<CheckpointAnswer> {
      try {
        const answer = await askThread<CheckpointAnswer>(use().worker, mode)
        if (answer.error !== undefined) throw new Error(answer.error)
        return answer
      } finally {
        rest()
      }
    },
    end,
  }
}
