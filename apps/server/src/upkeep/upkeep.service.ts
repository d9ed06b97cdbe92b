import { conflict } from '@stithy/core'
import { countPush, startUpkeep, type Transaction } from '@stithy/store'
import type { App } from '../app.ts'
import { slowQueue } from '../jobs/worker.ts'

/** The job that packs a repository. */
export const housekeepKind = 'repository.housekeep'

/** What the job is told; without `full` the number of pushes decides. */
export interface HousekeepRequest {
  projectId: number
  full: boolean
}

/** Pushes after which what they brought is packed. */
const packEvery = 10
/** Pushes after which everything is packed anew and what nothing refers to is dropped. */
export const fullEvery = 200

function jobOf(request: HousekeepRequest) {
  const { projectId } = request
  return { projectId, queue: slowQueue, kind: housekeepKind, payload: request }
}

/** Counts a push, in the transaction that records it, and sets the upkeep going where it is due. */
export async function noteForUpkeep(
  tx: Transaction,
  projectId: number,
  now: number,
): Promise<void> {
  const pushes = await countPush(tx, projectId)
  if (pushes % packEvery === 0) await startUpkeep(tx, jobOf({ projectId, full: false }), now)
}

/** Sets the whole upkeep of a repository going. @throws DomainError `conflict` while it is under way */
export async function requestUpkeep(app: App, projectId: number): Promise<void> {
  const job = jobOf({ projectId, full: true })
  const started = await app.db.transaction((tx) => startUpkeep(tx, job, app.now()))
  if (!started) throw conflict('Housekeeping of this project is under way already')
  app.wakeWorker()
}
