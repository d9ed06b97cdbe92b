import { setImmediate } from 'node:timers/promises'
import { errorOf } from '../broker/git-process.ts'
import type { Git, Repository } from '../git.ts'
import { createLineReader } from '../parsing/line-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { chunksOf } from '../stream.ts'
import { withMissing } from './missing-object.ts'

/** A command whose output is read in batches. */
export interface BatchedCommand<T> {
  args: string[]
  /** The byte that ends a line; longer lines are cut to `maxLineBytes`. */
  separator: number
  maxLineBytes: number
  /** What a line becomes; undefined: nothing. */
  parse(line: Buffer): T | undefined
  /** The items of all batches but the last. */
  batchSize: number
  /** Whether git yields the processor to others; default false. */
  background?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** Milliseconds that the reader may take for a batch; git waits, and ends after them. */
const stallMs = 10 * 60_000

async function* watched<T>(batch: T, stalled: () => void): AsyncGenerator<T, void> {
  const timer = setTimeout(stalled, stallMs)
  try {
    yield batch
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs git and parses its output as it is read: git waits for a slow reader, for up to ten minutes a
 * batch. It takes no slot of the short-lived processes, since how long it runs depends on the
 * reader. Leaving the loop ends git.
 * @throws GitError `not_found` for a missing object, `memory_limit`, `aborted`, `timeout` after 300 s
 * of processor time or a batch that was not read in time.
 */
export async function* batchesOf<T>(
  git: Git,
  repository: Repository,
  {
    args,
    separator,
    maxLineBytes,
    parse,
    batchSize,
    background = false,
    signal,
  }: BatchedCommand<T>,
): AsyncGenerator<T[], void> {
  const process = await git.parts.spawner.start({
    args,
    repository: repository.path,
    limits: slowProcess,
    background,
    ...(signal ? { signal } : {}),
  })
  const stalled = () => process.kill('timeout')
  const items: T[] = []
  const read = (line: Buffer) => {
    const item = parse(line)
    if (item !== undefined) items.push(item)
  }
  const reader = createLineReader(read, { separator, maxBytes: maxLineBytes })
  const take = () => {
    // Git may have ended before the signal.
    if (signal?.aborted) throw errorOf('aborted')
    return items.splice(0, batchSize)
  }
  try {
    for await (const chunk of chunksOf(process, `git ${args[0]}`)) {
      reader.push(chunk)
      while (items.length >= batchSize) {
        yield* watched(take(), stalled)
        // A reader that awaits nothing must not block the event loop.
        await setImmediate()
      }
    }
    if (items.length > 0) yield* watched(take(), stalled)
  } catch (error) {
    throw withMissing(error)
  }
}
