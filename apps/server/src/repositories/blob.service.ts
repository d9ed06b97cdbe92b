import type { Readable } from 'node:stream'
import { notFound } from '@stithy/core'
import { type ObjectInfo, objectInfo } from '@stithy/git'
import type { App } from '../app.ts'
import { digestOf } from '../repository-files/file-digest.ts'
import { type CodePlace, repositoryOf } from './repository.service.ts'

/** A hash, or its first digits. */
const digits = /^[0-9a-f]{4,40}$/

/**
 * The blob of a hash, or of its first digits where they are of one object only.
 * @throws DomainError `not_found`, also for what is no blob.
 */
export async function requireBlob(app: App, place: CodePlace, sha: string): Promise<ObjectInfo> {
  const name = sha.toLowerCase()
  const info = digits.test(name)
    ? await objectInfo(app.git, repositoryOf(app, place), name)
    : undefined
  // Git takes a branch of that name before it takes digits for a hash.
  if (info?.type !== 'blob' || !info.oid.startsWith(name)) throw notFound('Blob')
  return info
}

/** Whether a blob can be shown as text; large ones are not looked into. */
export function isText({ oid }: ObjectInfo, content: Buffer | Readable): boolean {
  return Buffer.isBuffer(content) && digestOf(oid, content).text
}
