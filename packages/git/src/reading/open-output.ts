import { Readable } from 'node:stream'
import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { type StreamLimits, streamIn } from '../stream.ts'
import { slowProcess } from './read-limits.ts'
import { failureOfRead, rememberFailure } from './slow-read.ts'

/** Limits of an output that is sent to a client. */
export interface OutputOptions extends StreamLimits {
  /** What the output is: a failure is remembered by it, and by the limits. */
  key: string
  /** Seconds of processor time of git, and of each program that it starts. */
  cpuSeconds: number
  /** Milliseconds that the reader may take for each chunk. */
  stallMs: number
}

function isTimeout(error: unknown): boolean {
  return error instanceof GitError && error.code === 'timeout'
}

/** Passes chunks on, and an error to `failed`, which throws. */
async function* rethrowing(
  chunks: AsyncGenerator<Buffer, void>,
  failed: (error: unknown) => never,
): AsyncGenerator<Buffer, void> {
  try {
    yield* chunks
  } catch (error) {
    failed(error)
  }
}

/**
 * Streams chunks to a client. The stream fails if its reader doesn't ask for the next one in time.
 * @param what the reader gets, for the error
 */
export function streamTo(chunks: AsyncIterable<Buffer>, stallMs: number, what: string): Readable {
  const stall = () => stream.destroy(new GitError('timeout', `the ${what} was not read`))
  const stream = Readable.from(watched(chunks, stallMs, stall), { objectMode: false })
  return stream
}

/** Calls `stalled` if the reader doesn't ask for the next chunk in time. */
async function* watched(
  chunks: AsyncIterable<Buffer>,
  stallMs: number,
  stalled: () => void,
): AsyncGenerator<Buffer, void> {
  for await (const chunk of chunks) {
    const timer = setTimeout(stalled, stallMs)
    try {
      yield chunk
    } finally {
      clearTimeout(timer)
    }
  }
}

async function* startingWith(first: Buffer | undefined, rest: AsyncIterable<Buffer>) {
  if (first) yield first
  yield* rest
}

/**
 * Streams the output of a git command. Resolves once its first bytes are available: an error before
 * them is thrown, a later one fails the stream. Destroying the stream ends git.
 * @throws GitError `timeout`, `output_limit`, `memory_limit`, `aborted`
 */
export async function openOutput(
  git: Git,
  repository: Repository,
  args: string[],
  { key: name, cpuSeconds, stallMs, ...limits }: OutputOptions,
): Promise<Readable> {
  const key = `${name} ${cpuSeconds} ${limits.maxOutputBytes}`
  const failure = failureOfRead(git, repository, key)
  if (failure) throw failure
  const options = { ...limits, limits: { ...slowProcess, cpuSeconds } }
  const chunks = rethrowing(streamIn(git, repository, args, options), (error) => {
    // How long it takes depends on the client, too.
    if (!isTimeout(error)) rememberFailure(git, repository, key, error)
    throw error
  })
  const first = await chunks.next()
  const stream = streamTo(startingWith(first.value ?? undefined, chunks), stallMs, 'output')
  // A stream that nobody started to read ends without requesting more.
  return stream.once('close', () => void chunks.return().catch(() => {}))
}
