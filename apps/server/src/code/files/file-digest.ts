import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type Repository, streamBlob } from '@stithy/git'
import { LRUCache } from 'lru-cache'
import type { App } from '../../platform/app.ts'
import type { FileDigest } from './resolved-file.ts'

/** Both depend on the content only, and an object id identifies one content forever. */
const known = new LRUCache<string, FileDigest>({ max: 20_000 })

/** Git looks for a NUL in as many bytes to distinguish text from binary files. */
const sniffedBytes = 8000

function remember(oid: string, digest: FileDigest): FileDigest {
  known.set(oid, digest)
  return digest
}

/** Whether git takes a content for binary. */
export function isBinaryContent(content: Buffer): boolean {
  return content.subarray(0, sniffedBytes).includes(0)
}

/** The digest of a content in memory. */
export function digestOf(oid: string, content: Buffer): FileDigest {
  const found = known.get(oid)
  if (found !== undefined) return found
  const sha256 = createHash('sha256').update(content).digest('hex')
  const text = !isBinaryContent(content) && isUtf8(content)
  return remember(oid, { sha256, text })
}

/** The digest of a large blob: read once as a stream, never held as a whole. */
export async function digestLargeBlob(
  app: App,
  repository: Repository,
  oid: string,
  signal?: AbortSignal,
): Promise<FileDigest> {
  const found = known.get(oid)
  if (found !== undefined) return found
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  const options = signal === undefined ? {} : { signal }
  for await (const chunk of streamBlob(app.git, repository, oid, options)) {
    if (head.length < sniffedBytes) head = Buffer.concat([head, chunk])
    hash.update(chunk)
  }
  const text = !isBinaryContent(head)
  return remember(oid, { sha256: hash.digest('hex'), text })
}
