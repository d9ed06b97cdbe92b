import { notFound } from '@stithy/core'
import { maxObjectBytes, type ObjectInfo, objectInfo, type Repository } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { readSmall } from '../files/content.service.ts'
import { digestOf } from '../files/file-digest.ts'
import type { SourceRepository } from '../revisions/revision.service.ts'

/** A full or abbreviated object id. */
const digits = /^[0-9a-f]{4,40}$/

/**
 * Finds the blob of a full or unambiguous abbreviated id.
 * @throws DomainError `not_found`, also for other objects than blobs.
 */
export async function requireBlob(
  app: App,
  project: SourceRepository,
  sha: string,
): Promise<ObjectInfo> {
  const name = sha.toLowerCase()
  const info = digits.test(name)
    ? await objectInfo(app.git, repositoryOf(app, project), name)
    : undefined
  // Git prefers a branch of that name to an abbreviated id.
  if (info?.type !== 'blob' || !info.oid.startsWith(name)) throw notFound('Blob')
  return info
}

/** Whether a blob can be shown as text; large ones are not read. */
export async function isText(
  app: App,
  repository: Repository,
  { oid, size }: ObjectInfo,
): Promise<boolean> {
  return size <= maxObjectBytes && digestOf(oid, await readSmall(app, repository, oid)).text
}
