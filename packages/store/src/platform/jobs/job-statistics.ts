import { sql } from 'kysely'
import { inBackground, type Queries, type Transaction } from '../queries/queries.ts'
import { greatest } from '../queries/sql.ts'
import type { Row } from '../schema/schema.ts'

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

/** The statistics for administrators. Three queries. */
export async function readJobStatistics(q: Queries, now: number): Promise<JobStatistics> {
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
  const earlier = await readCounters(q)
  const ended = states.reduce((sum, row) => sum + row.attempts, 0) - of('running').jobs
  return {
    queues: waiting.map(({ queue, backlog, oldest }) => ({
      queue,
      backlog,
      latency: now - oldest,
    })),
    processed: earlier.processed + ended,
    failed: earlier.failed + ended - of('done').jobs,
    enqueued: of('queued').jobs,
    dead: of('dead').jobs,
  }
}

async function readCounters(q: Queries): Promise<{ processed: number; failed: number }> {
  const rows = await q.all('job.counters', {}, (db) =>
    db
      .selectFrom('counters')
      .where('name', 'in', ['jobs.processed', 'jobs.failed'])
      .select(['name', 'value']),
  )
  const value = (name: string) => rows.find((row) => row.name === name)?.value ?? 0
  return { processed: value('jobs.processed'), failed: value('jobs.failed') }
}

/**
 * Deletes jobs that finished before the timestamp; the statistics keep counting them. Returns how
 * many.
 */
export async function deleteFinishedJobs(tx: Transaction, before: number): Promise<number> {
  const deleted = await tx.all('job.delete', { before }, (db, $) =>
    db
      .deleteFrom('jobs')
      .where('state', '=', 'done')
      .where('finishedAt', '<', $('before'))
      .returning('attempts'),
  )
  const processed = deleted.reduce((sum, row) => sum + row.attempts, 0)
  await addToCounter(tx, 'jobs.failed', processed - deleted.length)
  await addToCounter(tx, 'jobs.processed', processed)
  return deleted.length
}

async function addToCounter(tx: Transaction, name: string, value: number): Promise<void> {
  await tx.run('counter.add', { name, value }, (db, $) =>
    db
      .insertInto('counters')
      .values({ name: $('name'), value: $('value') })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet((eb) => ({ value: eb('counters.value', '+', eb.ref('excluded.value')) })),
      ),
  )
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
