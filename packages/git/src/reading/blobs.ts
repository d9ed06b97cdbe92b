import type { Git, Repository } from '../git.ts'
import { readLimits } from './read-limits.ts'

/** Objects that are looked up at a time. */
const lookedUp = 100
/** Bytes from which a batch gets no further blob: whoever decodes it must not take long. */
const batchBytes = 256 * 1024

/**
 * Reads the blobs with these full ids, in order, in batches of about 256 KiB; undefined for what is
 * missing, no blob, or larger than `maxBytes`, which is at most 8 MiB. Nothing is cached: it is for
 * walks over whole repositories.
 * @throws GitError `corrupt` for a damaged object, `not_found` if there is no repository.
 */
export async function* readBlobsOnce(
  git: Git,
  repository: Repository,
  oids: readonly string[],
  maxBytes: number,
): AsyncGenerator<(Buffer | undefined)[], void> {
  const limit = Math.min(maxBytes, readLimits.objectBytes)
  const ask = (command: 'info' | 'contents', oid: string) =>
    git.parts.objects.ask(repository.path, command, oid)
  for (let at = 0; at < oids.length; at += lookedUp) {
    const part = oids.slice(at, at + lookedUp)
    const infos = await Promise.all(part.map((oid) => ask('info', oid)))
    const sizes = infos.map((info) =>
      info?.type === 'blob' && info.size <= limit ? info.size : undefined,
    )
    for (let start = 0; start < part.length; ) {
      const end = endOfBatch(sizes, start)
      const batch = part.slice(start, end)
      const contents = batch.map((oid, index) =>
        sizes[start + index] === undefined ? undefined : ask('contents', oid),
      )
      yield (await Promise.all(contents)).map((object) => object?.content)
      start = end
    }
  }
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
