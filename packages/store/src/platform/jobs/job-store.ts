import type { Queries, Transaction } from '../queries/queries.ts'
import { inList, jsonText } from '../queries/sql.ts'
import { currentRequestId } from './request-context.ts'

/** A background job, to run after the transaction that enqueues it. */
export interface NewJob {
  queue: string
  kind: string
  /** Any JSON value. */
  payload: unknown
  /** Attempts before it is dead; default 10. */
  maxAttempts?: number | undefined
  /** The earliest timestamp; default now. */
  runAt?: number | undefined
}

const defaultAttempts = 10

/** Enqueues a job in the transaction of the change that causes it; returns its id. */
export function enqueueJob(tx: Transaction, job: NewJob, now: number): Promise<number> {
  return insertJob(tx, { ...job, payload: jsonText(job.payload) }, now)
}

/** Adds a job whose payload is JSON text. */
async function insertJob(
  tx: Transaction,
  job: NewJob & { payload: string },
  now: number,
): Promise<number> {
  const { queue, kind, payload, maxAttempts = defaultAttempts, runAt = now } = job
  const args = { queue, kind, payload, maxAttempts, runAt, now, requestId: currentRequestId() }
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
        requestId: $('requestId'),
      })
      .returning('id'),
  )
  if (row === undefined) throw new Error('The database gave no id')
  if (runAt <= now) tx.wakeWorkers()
  return row.id
}

/** Like `enqueueJob`, unless a job of that kind is waiting; returns whether it was added. */
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

/**
 * Like `enqueueJob`, unless a job of that kind is waiting for exactly that time; returns whether it
 * was added.
 */
export async function enqueueUnlessPlanned(
  tx: Transaction,
  job: NewJob & { runAt: number },
  now: number,
): Promise<boolean> {
  const planned = await tx.first('job.planned', { kind: job.kind, runAt: job.runAt }, (db, $) =>
    db
      .selectFrom('jobs')
      .where('state', '=', 'queued')
      .where('runAt', '=', $('runAt'))
      .where('kind', '=', $('kind'))
      .select('id')
      .limit(1),
  )
  if (planned !== undefined) return false
  await enqueueJob(tx, job, now)
  return true
}

/**
 * Like `enqueueJob`, unless the same job with the same payload is waiting, which then runs as soon
 * as this one would, also if it waits to be retried.
 */
export function enqueueOnce(
  tx: Transaction,
  { payload, ...job }: NewJob,
  now: number,
): Promise<void> {
  return enqueueEachOnce(tx, { ...job, payloads: [payload] }, now)
}

/**
 * Like `enqueueOnce` for each of the payloads, which are different. One query looks through all
 * that waits in the queue.
 */
export async function enqueueEachOnce(
  tx: Transaction,
  { payloads, ...job }: Omit<NewJob, 'payload'> & { payloads: readonly unknown[] },
  now: number,
): Promise<void> {
  const { queue, kind, runAt = now } = job
  const texts = payloads.map(jsonText)
  const args = { queue, kind, payloads: texts }
  const waiting = await tx.all('job.same', args, (db, $) =>
    db
      .selectFrom('jobs')
      .where('queue', '=', $('queue'))
      .where('state', '=', 'queued')
      .where('kind', '=', $('kind'))
      .where(inList('jobs.payload', $('payloads')))
      .orderBy('runAt', 'desc')
      .select(['id', 'payload', 'runAt']),
  )
  // Of several, the one that runs first.
  const known = new Map(waiting.map((same) => [same.payload, same]))
  for (const payload of texts) {
    const same = known.get(payload)
    if (same === undefined) await insertJob(tx, { ...job, payload }, now)
    else if (same.runAt > runAt) await advanceJob(tx, { id: same.id, runAt }, now)
  }
}

async function advanceJob(
  tx: Transaction,
  args: { id: number; runAt: number },
  now: number,
): Promise<void> {
  await tx.run('job.advance', args, (db, $) =>
    db
      .updateTable('jobs')
      .set({ runAt: $('runAt') })
      .where('id', '=', $('id'))
      .where('state', '=', 'queued')
      .where('runAt', '>', $('runAt')),
  )
  if (args.runAt <= now) tx.wakeWorkers()
}

/** Deletes a job that no worker has claimed yet, by what it was enqueued with. */
export async function deleteWaitingJob(
  q: Queries,
  { kind, payload }: Pick<NewJob, 'kind' | 'payload'>,
): Promise<void> {
  await q.run('job.deleteWaiting', { kind, payload: jsonText(payload) }, (db, $) =>
    db
      .deleteFrom('jobs')
      .where('state', '=', 'queued')
      .where('kind', '=', $('kind'))
      .where('payload', '=', $('payload')),
  )
}

/** Makes the waiting jobs of a kind due now. */
export async function makeJobsDue(q: Queries, kind: string, now: number): Promise<void> {
  await q.run('job.make-due', { kind, now }, (db, $) =>
    db
      .updateTable('jobs')
      .set({ runAt: $('now') })
      .where('state', '=', 'queued')
      .where('kind', '=', $('kind'))
      .where('runAt', '>', $('now')),
  )
}
