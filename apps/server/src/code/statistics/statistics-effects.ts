import type { Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { enqueueRefresh } from './repository-statistics.jobs.ts'

/** Enqueues a job that counts the commits, bytes and languages of a repository. */
export async function refreshRepository(
  tx: Transaction,
  { push, now }: Change<'refs.moved'>,
): Promise<void> {
  await enqueueRefresh(tx, push.projectId, now)
}

export async function refreshNewRepository(
  tx: Transaction,
  { projectId, initialBranch, now }: Change<'project.created'>,
): Promise<void> {
  if (initialBranch !== null) await enqueueRefresh(tx, projectId, now)
}

export async function refreshImportedRepository(
  tx: Transaction,
  { projectId, now }: Change<'repository.imported'>,
): Promise<void> {
  await enqueueRefresh(tx, projectId, now)
}
