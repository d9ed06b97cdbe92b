import { Readable } from 'node:stream'
import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { type StreamLimits, streamIn } from '../stream.ts'
import { streamListing } from './tree-listing.ts'

/** What an archive is like, and what it may cost. */
export interface ArchiveOptions extends StreamLimits {
  format: 'tar' | 'tar.gz' | 'tar.bz2' | 'zip'
  /** The one directory that everything lies in. */
  directory: string
}

async function* startingWith(first: Buffer | undefined, rest: AsyncIterable<Buffer>) {
  if (first) yield first
  yield* rest
}

/**
 * The files of a commit as an archive, once its first bytes are there: what git cannot even begin is
 * thrown, what breaks later breaks the stream. Throws GitError `timeout`, `output_limit`, `aborted`,
 * `missing_program` for tar.bz2 where there is no bzip2. Destroying the stream ends git.
 */
export async function openArchive(
  git: Git,
  repository: Repository,
  oid: string,
  { format, directory, ...limits }: ArchiveOptions,
): Promise<Readable> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is needed')
  const args = ['archive', `--format=${format}`, `--prefix=${directory}/`, oid]
  const chunks = streamIn(git, repository, args, limits)
  const first = await chunks.next()
  const stream = Readable.from(startingWith(first.value ?? undefined, chunks), {
    objectMode: false,
  })
  // One that nobody began to read ends without asking for more.
  return stream.once('close', () => void chunks.return().catch(() => {}))
}

/** Beside its content a file costs an archive at least a header and padding. */
const entryBytes = 1024

/**
 * About how many bytes the files of a commit take in a tar; cached. Throws GitError `timeout`, and
 * `output_limit` as soon as it comes to more than `maxBytes`.
 */
export async function archiveSize(
  git: Git,
  repository: Repository,
  oid: string,
  { maxBytes, ...limits }: { maxBytes: number; timeoutMs?: number; signal?: AbortSignal },
): Promise<number> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is needed')
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
