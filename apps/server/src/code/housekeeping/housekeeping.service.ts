import { conflict } from '@stithy/core'
import { countPush, enqueueHousekeeping, findSetting, type Transaction } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { slowQueue } from '../../platform/jobs/queues.ts'

/** The kind of the job that packs a repository. */
export const housekeepingKind = 'repository.housekeep'

/** The job's payload; without `full` the number of pushes decides. */
export interface HousekeepingRequest {
  projectId: number
  full: boolean
}

function jobOf(request: HousekeepingRequest) {
  const { projectId } = request
  return { projectId, queue: slowQueue, kind: housekeepingKind, payload: request }
}

/**
 * Counts a push, in the transaction that records it, and enqueues housekeeping when it is due:
 * new objects are packed after every `housekeeping_incremental_repack_period` pushes.
 */
export async function countPushForHousekeeping(
  tx: Transaction,
  projectId: number,
  now: number,
): Promise<void> {
  const pushes = await countPush(tx, projectId)
  const period = await findSetting(tx, 'housekeeping_incremental_repack_period')
  if (pushes % period !== 0 || !(await findSetting(tx, 'housekeeping_enabled'))) return
  await enqueueHousekeeping(tx, jobOf({ projectId, full: false }), now)
}

/**
 * Enqueues a full housekeeping of a repository.
 * @throws DomainError `conflict` while one is in progress
 */
export async function requestHousekeeping(app: App, projectId: number): Promise<void> {
  const job = jobOf({ projectId, full: true })
  const started = await app.db.transaction((tx) => enqueueHousekeeping(tx, job, app.now()))
  if (!started) throw conflict('Housekeeping of this project is already in progress')
}
