import type { Readable } from 'node:stream'
import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { parseListedEntry } from '../parsing/tree-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { type OutputOptions, openOutput } from '../reading/open-output.ts'
import { readSlowly } from '../reading/slow-read.ts'
import { type ListingLimits, walkListing } from './tree-listing.ts'

/** Options and limits of an archive. */
export interface ArchiveOptions extends Omit<OutputOptions, 'key'> {
  format: 'tar' | 'tar.gz' | 'tar.bz2' | 'zip'
  /** The top-level directory of all entries. */
  directory: string
}

/**
 * Streams the files of a commit as an archive, as `openOutput` does.
 * @throws GitError `missing_program` for tar.bz2 without bzip2, besides its errors
 */
export async function openArchive(
  git: Git,
  repository: Repository,
  oid: string,
  { format, directory, ...options }: ArchiveOptions,
): Promise<Readable> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is required')
  const args = ['archive', `--format=${format}`, `--prefix=${directory}/`, oid]
  return openOutput(git, repository, args, { ...options, key: `archive ${format} ${oid}` })
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
