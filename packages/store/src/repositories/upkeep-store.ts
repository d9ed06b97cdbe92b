import { enqueueJob } from '../jobs/job-store.ts'
import type { Queries, Transaction } from '../queries.ts'

/** Upkeep of one repository as a job. */
export interface UpkeepJob {
  projectId: number
  queue: string
  kind: string
  /** Anything that JSON can hold. */
  payload: unknown
}

/** Counts a push; answers how many there were since the last full upkeep. */
export async function countPush(tx: Transaction, projectId: number): Promise<number> {
  const row = await tx.first('upkeep.count', { projectId }, (db, $) =>
    db
      .insertInto('repositoryUpkeep')
      .values({ projectId: $('projectId'), pushCount: 1 })
      .onConflict((conflict) =>
        conflict
          .column('projectId')
          .doUpdateSet((eb) => ({ pushCount: eb('repositoryUpkeep.pushCount', '+', 1) })),
      )
      .returning('pushCount'),
  )
  return row?.pushCount ?? 0
}

/** The pushes since the last full upkeep. */
export async function readPushCount(q: Queries, projectId: number): Promise<number> {
  const row = await q.first('upkeep.read', { projectId }, (db, $) =>
    db.selectFrom('repositoryUpkeep').select('pushCount').where('projectId', '=', $('projectId')),
  )
  return row?.pushCount ?? 0
}

/** Begins to count anew: `counted` pushes have been seen to. */
export async function forgetPushes(
  q: Queries,
  args: { projectId: number; counted: number },
): Promise<void> {
  await q.run('upkeep.forget', args, (db, $) =>
    db
      .updateTable('repositoryUpkeep')
      .set((eb) => ({ pushCount: eb('pushCount', '-', $('counted')) }))
      .where('projectId', '=', $('projectId'))
      .where('pushCount', '>=', $('counted')),
  )
}

/**
 * Sets the upkeep of a repository going, unless one waits or is under way already; answers whether it
 * did.
 */
export async function startUpkeep(
  tx: Transaction,
  { projectId, ...job }: UpkeepJob,
  now: number,
): Promise<boolean> {
  const jobId = await lockUpkeep(tx, projectId)
  if (jobId !== null && (await isUnderWay(tx, jobId))) return false
  const started = { projectId, jobId: await enqueueJob(tx, job, now) }
  await tx.run('upkeep.start', started, (db, $) =>
    db
      .updateTable('repositoryUpkeep')
      .set({ jobId: $('jobId') })
      .where('projectId', '=', $('projectId')),
  )
  return true
}

/** Keeps the row from others until the end of the transaction; answers its last job. */
async function lockUpkeep(tx: Transaction, projectId: number): Promise<number | null> {
  const row = await tx.first('upkeep.lock', { projectId }, (db, $) =>
    db
      .insertInto('repositoryUpkeep')
      .values({ projectId: $('projectId'), pushCount: 0 })
      .onConflict((conflict) =>
        conflict
          .column('projectId')
          .doUpdateSet((eb) => ({ pushCount: eb.ref('repositoryUpkeep.pushCount') })),
      )
      .returning('jobId'),
  )
  return row?.jobId ?? null
}

async function isUnderWay(tx: Transaction, jobId: number): Promise<boolean> {
  const row = await tx.first('upkeep.job', { jobId }, (db, $) =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('id', '=', $('jobId'))
      .where('state', 'in', ['queued', 'running']),
  )
  return row !== undefined
}
