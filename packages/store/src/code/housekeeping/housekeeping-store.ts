import { enqueueJob } from '../../platform/jobs/job-store.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'

/** The housekeeping job of one repository. */
export interface HousekeepingJob {
  projectId: number
  queue: string
  kind: string
  /** Anything that JSON can hold. */
  payload: unknown
}

/** Counts a push; returns the number of pushes since the last full housekeeping. */
export async function countPush(tx: Transaction, projectId: number): Promise<number> {
  const row = await tx.first('housekeeping.count', { projectId }, (db, $) =>
    db
      .insertInto('repositoryHousekeeping')
      .values({ projectId: $('projectId'), pushCount: 1 })
      .onConflict((conflict) =>
        conflict
          .column('projectId')
          .doUpdateSet((eb) => ({ pushCount: eb('repositoryHousekeeping.pushCount', '+', 1) })),
      )
      .returning('pushCount'),
  )
  return row?.pushCount ?? 0
}

/** The number of pushes since the last full housekeeping. */
export async function readPushCount(q: Queries, projectId: number): Promise<number> {
  const row = await q.first('housekeeping.read', { projectId }, (db, $) =>
    db
      .selectFrom('repositoryHousekeeping')
      .select('pushCount')
      .where('projectId', '=', $('projectId')),
  )
  return row?.pushCount ?? 0
}

/** Subtracts the `counted` pushes that a housekeeping covered. */
export async function subtractPushes(
  q: Queries,
  args: { projectId: number; counted: number },
): Promise<void> {
  await q.run('housekeeping.forget', args, (db, $) =>
    db
      .updateTable('repositoryHousekeeping')
      .set((eb) => ({ pushCount: eb('pushCount', '-', $('counted')) }))
      .where('projectId', '=', $('projectId'))
      .where('pushCount', '>=', $('counted')),
  )
}

/**
 * Enqueues the housekeeping of a repository unless a job waits or runs already; returns whether it
 * did.
 */
export async function enqueueHousekeeping(
  tx: Transaction,
  { projectId, ...job }: HousekeepingJob,
  now: number,
): Promise<boolean> {
  const jobId = await lockHousekeeping(tx, projectId)
  if (jobId !== null && (await isJobActive(tx, jobId))) return false
  const started = { projectId, jobId: await enqueueJob(tx, job, now) }
  await tx.run('housekeeping.start', started, (db, $) =>
    db
      .updateTable('repositoryHousekeeping')
      .set({ jobId: $('jobId') })
      .where('projectId', '=', $('projectId')),
  )
  return true
}

/** Locks the row until the end of the transaction; returns its last job. */
async function lockHousekeeping(tx: Transaction, projectId: number): Promise<number | null> {
  const row = await tx.first('housekeeping.lock', { projectId }, (db, $) =>
    db
      .insertInto('repositoryHousekeeping')
      .values({ projectId: $('projectId'), pushCount: 0 })
      .onConflict((conflict) =>
        conflict
          .column('projectId')
          .doUpdateSet((eb) => ({ pushCount: eb.ref('repositoryHousekeeping.pushCount') })),
      )
      .returning('jobId'),
  )
  return row?.jobId ?? null
}

async function isJobActive(tx: Transaction, jobId: number): Promise<boolean> {
  const row = await tx.first('housekeeping.job', { jobId }, (db, $) =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('id', '=', $('jobId'))
      .where('state', 'in', ['queued', 'running']),
  )
  return row !== undefined
}
