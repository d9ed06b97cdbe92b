import { Readable } from 'node:stream'
import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { parseListedEntry } from '../parsing/tree-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { slowProcess } from '../reading/read-limits.ts'
import { failureOfRead, readSlowly, rememberFailure } from '../reading/slow-read.ts'
import { type StreamLimits, streamIn } from '../stream.ts'
import { type ListingLimits, walkListing } from './tree-listing.ts'

/** Options and limits of an archive. */
export interface ArchiveOptions extends StreamLimits {
  format: 'tar' | 'tar.gz' | 'tar.bz2' | 'zip'
  /** The top-level directory of all entries. */
  directory: string
  /** Seconds of processor time of git, and of the program that compresses its output. */
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

/** Calls `stalled` if the reader doesn't ask for the next chunk in time. */
export async function* watched(
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
 * Streams the files of a commit as an archive. Resolves once its first bytes are available: an
 * error before them is thrown, a later one fails the stream. Destroying the stream ends git.
 * @throws GitError `timeout`, `output_limit`, `aborted`, `missing_program` for tar.bz2 without
 * bzip2.
 */
export async function openArchive(
  git: Git,
  repository: Repository,
  oid: string,
  { format, directory, cpuSeconds, stallMs, ...limits }: ArchiveOptions,
): Promise<Readable> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is required')
  const { maxOutputBytes } = limits
  const key = `archive ${format} ${cpuSeconds} ${maxOutputBytes} ${oid}`
  const failure = failureOfRead(git, repository, key)
  if (failure) throw failure
  const args = ['archive', `--format=${format}`, `--prefix=${directory}/`, oid]
  const options = { ...limits, limits: { ...slowProcess, cpuSeconds } }
  const chunks = rethrowing(streamIn(git, repository, args, options), (error) => {
    // How long it takes depends on the client, too.
    if (!isTimeout(error)) rememberFailure(git, repository, key, error)
    throw error
  })
  const first = await chunks.next()
  const stall = () => stream.destroy(new GitError('timeout', 'the archive was not read'))
  const output = watched(startingWith(first.value ?? undefined, chunks), stallMs, stall)
  const stream: Readable = Readable.from(output, { objectMode: false })
  // A stream that nobody started to read ends without requesting more.
  return stream.once('close', () => void chunks.return().catch(() => {}))
}

/** Besides its content, a file or folder takes at least a header and padding. */
const entryBytes = 1024

/** Limits of the files of a commit. */
export interface ArchiveSizeLimits extends ListingLimits {
  /** Bytes of all files together, uncompressed. */
  maxBytes: number
}

/**
 * Estimates how many bytes the files of a commit take in a tar; cached.
 * @throws GitError `timeout`, and `output_limit` as soon as it exceeds a limit.
 */
export async function archiveSize(
  git: Git,
  repository: Repository,
  oid: string,
  limits: ArchiveSizeLimits,
  signal?: AbortSignal,
): Promise<number> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is required')
  const name = `archive-size ${oid}`
  const key = git.parts.scopeOf(repository.path) + name
  const known = git.parts.cache.get(key) as number | undefined
  if (known !== undefined && known <= limits.maxBytes) return known
  return readSlowly(git, repository, {
    key: `${name} ${JSON.stringify(limits)}`,
    signal,
    read: async (aborted) => {
      const total = await measure(git, repository, oid, limits, aborted)
      git.parts.cache.set(key, total, 8)
      return total
    },
  })
}

async function measure(
  git: Git,
  repository: Repository,
  oid: string,
  { maxBytes, ...limits }: ArchiveSizeLimits,
  signal: AbortSignal,
): Promise<number> {
  let total = 0
  const visit = (line: Buffer) => {
    total += (parseListedEntry(line, '')?.size ?? 0) + entryBytes
    if (total > maxBytes) throw new GitError('output_limit', `more than ${maxBytes} bytes of files`)
  }
  await walkListing(git, repository, { args: ['-l', oid], limits, signal, visit })
  return total
}
