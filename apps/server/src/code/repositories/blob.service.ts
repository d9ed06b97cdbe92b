import { notFound } from '@stithy/core'
import { maxObjectBytes, type ObjectInfo, type Repository } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { readSmall } from '../files/content.service.ts'
import { digestOf } from '../files/file-digest.ts'
import { findByHash } from '../revisions/object-hash.ts'
import type { SourceRepository } from '../revisions/revision.service.ts'

/**
 * Finds the blob of a full or unambiguous abbreviated id.
 * @throws DomainError `not_found`, also for other objects than blobs.
 */
export async function requireBlob(
  app: App,
  project: SourceRepository,
  sha: string,
): Promise<ObjectInfo> {
  const info = await findByHash(app.git, repositoryOf(app, project), sha)
  if (info?.type !== 'blob') throw notFound('Blob')
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
