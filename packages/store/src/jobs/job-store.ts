import type { Queries, Transaction } from '../queries.ts'
import { jsonText } from '../sql.ts'

/** Work to be done in the background, after the transaction that asks for it. */
export interface NewJob {
  queue: string
  kind: string
  /** Anything that JSON can hold. */
  payload: unknown
  /** Tries before it is given up; 10 if not given. */
  maxAttempts?: number | undefined
  /** The earliest instant; at once if not given. */
  runAt?: number | undefined
}

const defaultAttempts = 10

/** Writes the job with the change that it follows from; answers its id. */
export async function enqueueJob(tx: Transaction, job: NewJob, now: number): Promise<number> {
  const { queue, kind, maxAttempts = defaultAttempts, runAt = now } = job
  const args = { queue, kind, payload: jsonText(job.payload), maxAttempts, runAt, now }
  const row = await tx.first('job.enqueue', args, (db, $) =>
    db
      .insertInto('jobs')
      .values({
        queue: $('queue'),
        kind: $('kind'),
        payload: $('payload'),
        maxAttempts: $('maxAttempts'),
        runAt: $('runAt'),
        createdAt: $('now'),
      })
      .returning('id'),
  )
  if (row === undefined) throw new Error('The database gave no id')
  return row.id
}

/** Like `enqueueJob`, unless a job of that kind waits already; answers whether it was added. */
export async function enqueueUnlessWaiting(
  tx: Transaction,
  job: NewJob,
  now: number,
): Promise<boolean> {
  const waiting = await tx.first('job.waiting', { kind: job.kind }, (db, $) =>
    db
      .selectFrom('jobs')
      .where('state', '=', 'queued')
      .where('kind', '=', $('kind'))
      .select('id')
      .limit(1),
  )
  if (waiting !== undefined) return false
  await enqueueJob(tx, job, now)
  return true
}

/** Like `enqueueJob`, unless the same job, payload and all, waits already; answers whether it was added. */
export async function enqueueOnce(tx: Transaction, job: NewJob, now: number): Promise<boolean> {
  const same = { kind: job.kind, payload: jsonText(job.payload) }
  const waiting = await tx.first('job.same', same, (db, $) =>
    db
      .selectFrom('jobs')
      .where('state', '=', 'queued')
      .where('kind', '=', $('kind'))
      .where('payload', '=', $('payload'))
      .select('id')
      .limit(1),
  )
  if (waiting !== undefined) return false
  await enqueueJob(tx, job, now)
  return true
}

/** Makes the waiting jobs of a kind due now. */
export async function hastenJobs(q: Queries, kind: string, now: number): Promise<void> {
  await q.run('job.hasten', { kind, now }, (db, $) =>
    db
      .updateTable('jobs')
      .set({ runAt: $('now') })
      .where('state', '=', 'queued')
      .where('kind', '=', $('kind'))
      .where('runAt', '>', $('now')),
  )
}
