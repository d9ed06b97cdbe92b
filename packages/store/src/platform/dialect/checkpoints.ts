import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { StoreLogger } from '../queries/queries.ts'

export interface CheckpointSetup {
  file: string
  /** Path of the native addon, if it can't be resolved by name. */
  nativeBinding?: string | undefined
}

export type CheckpointMode = 'passive' | 'restart' | 'truncate'

/** A checkpoint to run, or the end of the thread. */
export type CheckpointRequest = CheckpointMode | 'close'

export interface CheckpointAnswer {
  /** Frames in the log, each a page with a header. */
  frames: number
  error?: string
}

export interface CheckpointOptions extends CheckpointSetup {
  /** The bundled worker; default: the one beside this module. */
  script?: string | undefined
  /** Runs an action while nothing in this process writes. */
  exclusively: <T>(action: () => Promise<T>) => Promise<T>
  logger: StoreLogger
}

/** Copies committed pages from the write-ahead log into the database file, off the main thread. */
export interface Checkpoints {
  /** Call after each commit. */
  committed(): void
  close(): Promise<void>
}

const mebibyte = 1024 * 1024
const frameBytes = 4096 + 24

/** The log is looked at after as many commits, so that its size is known without one look each. */
const commitsPerLook = 32
/** Size of the log file from which it is checkpointed. */
const checkpointBytes = 16 * mebibyte
/** Size of the content from which writers wait until the log starts from the beginning again. */
const restartBytes = 32 * mebibyte
/** Size of the log file from which it is truncated as well. */
const truncateBytes = 48 * mebibyte

/**
 * A passive checkpoint disturbs neither readers nor writers, but a log that is always written to
 * would never end; above 32 MiB the writers of this process wait for the rest of a checkpoint,
 * which follows a passive one and so is short.
 */
export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const { file, exclusively, logger } = options
  let thread: Worker | undefined
  let commits = 0
  let running: Promise<void> | undefined
  let closed = false

  async function ask(mode: CheckpointMode): Promise<CheckpointAnswer> {
    thread ??= startThread(options).once('exit', () => {
      thread = undefined
    })
    const answer = await request(thread, mode)
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer
  }

  async function checkpoint(): Promise<void> {
    const { size } = await stat(`${file}-wal`)
    if (size < checkpointBytes) return
    const { frames } = await ask('passive')
    if (frames * frameBytes < restartBytes) return
    await exclusively(() => ask(size < truncateBytes ? 'restart' : 'truncate'))
  }

  return {
    committed() {
      commits += 1
      if (commits < commitsPerLook || running !== undefined || closed) return
      commits = 0
      running = checkpoint()
        .catch((error: unknown) => logger.error({ err: error }, 'A checkpoint failed'))
        .finally(() => {
          running = undefined
        })
    },
    async close() {
      closed = true
      await running
      if (thread !== undefined) await request(thread, 'close')
    },
  }
}

/** Resolves with the answer, or once the thread has ended. */
function request(thread: Worker, message: CheckpointRequest): Promise<CheckpointAnswer> {
  return new Promise((resolve) => {
    const finish = (answer: CheckpointAnswer) => {
      thread.off('message', finish).off('error', fail).off('exit', end).unref()
      resolve(answer)
    }
    let error = 'The checkpoint thread ended'
    const fail = (cause: unknown) => {
      error = String(cause)
    }
    const end = () => finish({ frames: 0, error })
    thread.on('message', finish).on('error', fail).on('exit', end).ref()
    thread.postMessage(message)
  })
}

function startThread({ file, nativeBinding, script }: CheckpointOptions): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  const name = `./checkpoint-worker.${isSource ? 'ts' : 'js'}`
  const worker = new Worker(script ?? fileURLToPath(new URL(name, import.meta.url)), {
    workerData: { file, nativeBinding } satisfies CheckpointSetup,
    execArgv: script === undefined && isSource ? ['--conditions=@stithy/source'] : [],
    env: {},
  })
  // An error ends the thread, and the `exit` event is handled.
  return worker.on('error', () => {})
}
