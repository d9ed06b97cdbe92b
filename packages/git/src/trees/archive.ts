import { Readable } from 'node:stream'
import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { type StreamLimits, streamIn } from '../stream.ts'
import { streamListing } from './tree-listing.ts'

/** Options and limits of an archive. */
export interface ArchiveOptions extends StreamLimits {
  format: 'tar' | 'tar.gz' | 'tar.bz2' | 'zip'
  /** The top-level directory of all entries. */
  directory: string
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
  { format, directory, ...limits }: ArchiveOptions,
): Promise<Readable> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is required')
  const args = ['archive', `--format=${format}`, `--prefix=${directory}/`, oid]
  const chunks = streamIn(git, repository, args, limits)
  const first = await chunks.next()
  const stream = Readable.from(startingWith(first.value ?? undefined, chunks), {
    objectMode: false,
  })
  // A stream that nobody started to read ends without requesting more.
  return stream.once('close', () => void chunks.return().catch(() => {}))
}

/** Besides its content, a file takes at least a header and padding. */
const entryBytes = 1024

/**
 * Estimates how many bytes the files of a commit take in a tar; cached.
 * @throws GitError `timeout`, and `output_limit` as soon as it exceeds `maxBytes`.
 */
export async function archiveSize(
  git: Git,
  repository: Repository,
  oid: string,
  { maxBytes, ...limits }: { maxBytes: number; timeoutMs?: number; signal?: AbortSignal },
): Promise<number> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is required')
  const key = `${git.parts.scopeOf(repository.path)}archive-size ${oid}`
  const known = git.parts.cache.get(key) as number | undefined
  if (known !== undefined && known <= maxBytes) return known
  let total = 0
  for await (const entries of streamListing(git, repository, ['-l', oid], limits)) {
    for (const { size = 0 } of entries) total += size + entryBytes
    if (total > maxBytes) throw new GitError('output_limit', `more than ${maxBytes} bytes of files`)
  }
  git.parts.cache.set(key, total, 8)
  return total
}
