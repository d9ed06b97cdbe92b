import { sql } from 'kysely'
import { inBackground, type Queries, type Transaction } from '../queries/queries.ts'
import { greatest } from '../queries/sql.ts'
import type { Row } from '../schema/schema.ts'
import { addToCounter, readCounters } from './counter-store.ts'

export interface QueueStatistics {
  queue: string
  /** Due jobs. */
  backlog: number
  /** Milliseconds since the first of them became due. */
  latency: number
}

/** Totals since the first start, except for `enqueued` and `dead`, which are current. */
export interface JobStatistics {
  queues: QueueStatistics[]
  /** Finished attempts, successful or not. */
  processed: number
  /** Failed attempts. */
  failed: number
  /** Waiting jobs, including scheduled retries. */
  enqueued: number
  dead: number
}

/** The queues that have due jobs, by name. */
export async function readBacklogs(q: Queries, now: number): Promise<QueueStatistics[]> {
  const waiting = await inBackground(q).all('job.figures.queues', { now }, (db, $) =>
    db
      .selectFrom('jobs')
      .where('state', '=', 'queued')
      .where('runAt', '<=', $('now'))
      .groupBy('queue')
      .orderBy('queue')
      .select((eb) => [
        'queue',
        eb.fn.countAll<number>().as('backlog'),
        eb.fn.min('runAt').as('oldest'),
      ]),
  )
  return waiting.map(({ queue, backlog, oldest }) => ({ queue, backlog, latency: now - oldest }))
}

/** The statistics for administrators. Three queries. */
export async function readJobStatistics(q: Queries, now: number): Promise<JobStatistics> {
  const queues = await readBacklogs(q, now)
  const states = await inBackground(q).all('job.figures.states', {}, (db) =>
    db
      .selectFrom('jobs')
      .groupBy('state')
      .select((eb) => [
        'state',
        eb.fn.countAll<number>().as('jobs'),
        eb.fn.sum<number>('attempts').as('attempts'),
      ]),
  )
  const of = (state: Row<'jobs'>['state']) =>
    states.find((row) => row.state === state) ?? { jobs: 0, attempts: 0 }
  const earlier = await readCounters(q, ['jobs.processed', 'jobs.failed'])
  const ended = states.reduce((sum, row) => sum + row.attempts, 0) - of('running').jobs
  return {
    queues,
    processed: earlier['jobs.processed'] + ended,
    failed: earlier['jobs.failed'] + ended - of('done').jobs,
    enqueued: of('queued').jobs,
    dead: of('dead').jobs,
  }
}

/**
 * Deletes jobs that finished before the timestamp, at most `limit`; the statistics keep counting
 * them. Returns how many.
 */
export async function deleteFinishedJobs(
  tx: Transaction,
  before: number,
  limit: number,
): Promise<number> {
  const deleted = await tx.all('job.delete', { before, limit }, (db, $) =>
    db
      .deleteFrom('jobs')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('jobs')
          .where('state', '=', 'done')
          // Implied by the next condition, for the index: a job is due before it is finished.
          .where('runAt', '<', $('before'))
          .where('finishedAt', '<', $('before'))
          .orderBy('runAt')
          .orderBy('id')
          .limit($('limit'))
          .select('id'),
      )
      .returning('attempts'),
  )
  const processed = deleted.reduce((sum, row) => sum + row.attempts, 0)
  await addToCounter(tx, 'jobs.failed', processed - deleted.length)
  await addToCounter(tx, 'jobs.processed', processed)
  return deleted.length
}

/** Lists the dead jobs, the latest first. */
export function listDeadJobs(q: Queries, limit: number): Promise<Row<'jobs'>[]> {
  return q.all('job.dead', { limit }, (db, $) =>
    db
      .selectFrom('jobs')
      .where('state', '=', 'dead')
      .orderBy('runAt', 'desc')
      .orderBy('id', 'desc')
      .limit($('limit'))
      .selectAll(),
  )
}

/** Gives a dead job one more attempt; false if it is not dead. */
export async function retryDeadJob(q: Queries, id: number, now: number): Promise<boolean> {
  const { changes } = await q.run('job.retry', { id, now }, (db, $) =>
    db
      .updateTable('jobs')
      .set((eb) => ({
        state: 'queued',
        runAt: $('now'),
        finishedAt: null,
        maxAttempts: greatest(eb.ref('maxAttempts'), sql<number>`${eb.ref('attempts')} + 1`),
      }))
      .where('id', '=', $('id'))
      .where('state', '=', 'dead'),
  )
  return changes > 0
}
