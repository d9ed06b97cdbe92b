import type { Git, Repository } from '../git.ts'
import { readLimits } from './read-limits.ts'

/** Objects that are looked up at a time. */
const lookedUp = 100
/** Bytes from which a batch gets no further blob: whoever decodes it must not take long. */
const batchBytes = 256 * 1024

/** How blobs are read. */
export interface BlobReading {
  /** Larger ones are left out; at most 8 MiB. */
  maxBytes: number
  /**
   * Batches that are read before the one before them is used: git needn't be waited for then, but
   * what is read is lost if the reader ends early. Default: none.
   */
  batchesAhead?: number
  /** Whether git yields the processor to others; default false. */
  background?: boolean
}

type Contents = (Buffer | undefined)[]

/**
 * Reads the blobs with these full ids, in order, in batches of about 256 KiB; undefined for what is
 * missing, no blob, or too large. Nothing is cached: it is for walks over whole repositories.
 * @throws GitError `corrupt` for a damaged object, `not_found` if there is no repository.
 */
export async function* readBlobsOnce(
  git: Git,
  repository: Repository,
  oids: readonly string[],
  { maxBytes, batchesAhead = 0, background = false }: BlobReading,
): AsyncGenerator<Contents, void> {
  const limit = Math.min(maxBytes, readLimits.objectBytes)
  const ask = (command: 'info' | 'contents', oid: string) =>
    git.parts.objects.ask(repository.path, command, oid, { background })
  const sizesOf = async (part: readonly string[]) => {
    const infos = await Promise.all(part.map((oid) => ask('info', oid)))
    return infos.map((info) =>
      info?.type === 'blob' && info.size <= limit ? info.size : undefined,
    )
  }
  const read = async (batch: readonly string[], sizes: readonly (number | undefined)[]) => {
    const contents = batch.map((oid, index) =>
      sizes[index] === undefined ? undefined : ask('contents', oid),
    )
    return (await Promise.all(contents)).map((object) => object?.content)
  }
  const reading: Promise<Contents>[] = []
  for (let at = 0; at < oids.length; at += lookedUp) {
    const part = oids.slice(at, at + lookedUp)
    const sizes = await sizesOf(part)
    for (let start = 0; start < part.length; ) {
      const end = endOfBatch(sizes, start)
      const batch = read(part.slice(start, end), sizes.slice(start, end))
      // Whoever ends early doesn't see that it failed.
      batch.catch(() => {})
      reading.push(batch)
      const next = reading.length > batchesAhead ? reading.shift() : undefined
      if (next !== undefined) yield await next
      start = end
    }
  }
  for (const batch of reading) yield await batch
}

function endOfBatch(sizes: readonly (number | undefined)[], start: number): number {
  let bytes = 0
  let end = start
  while (end < sizes.length && bytes < batchBytes) {
    bytes += sizes[end] ?? 0
    end += 1
  }
  return end
}
