import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { parseListedEntry } from '../parsing/tree-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { readSlowly } from '../reading/slow-read.ts'
import type { BlobSize } from './tree.ts'
import { type ListingLimits, walkListing } from './tree-listing.ts'

/** What to collect from all files of a commit. */
export interface BlobCollection<T> {
  /** Names what is collected, and everything that determines it besides the commit. */
  name: string
  limits: ListingLimits
  create(): T
  /** Adds a file; returns false to leave out the rest. */
  add(collected: T, file: BlobSize): boolean
  /** Bytes in memory. */
  sizeOf(collected: T): number
}

/**
 * Collects from all files of a commit, by full id, symbolic links included. The result comes from
 * the cache after the first time, and is shared: don't modify it.
 * @throws GitError `output_limit`, `memory_limit`, `timeout`, each without a process from then on.
 */
export async function collectBlobs<T extends object>(
  git: Git,
  repository: Repository,
  oid: string,
  { name, limits, create, add, sizeOf }: BlobCollection<T>,
): Promise<T> {
  if (!isOid(oid)) throw new GitError('invalid', 'a full object id is required')
  const key = `${name} ${oid} ${JSON.stringify(limits)}`
  const cacheKey = git.parts.scopeOf(repository.path) + key
  const known = git.parts.cache.get(cacheKey) as T | undefined
  if (known) return known
  return readSlowly(git, repository, {
    key,
    async read(signal) {
      const collected = create()
      const visit = (line: Buffer) => {
        const entry = parseListedEntry(line, '')
        if (entry?.type !== 'blob') return true
        const { path, oid, size = 0, mode } = entry
        return add(collected, { path, oid, size, mode })
      }
      await walkListing(git, repository, { args: ['-l', oid], limits, signal, visit })
      git.parts.cache.set(cacheKey, collected, sizeOf(collected))
      return collected
    },
  })
}
