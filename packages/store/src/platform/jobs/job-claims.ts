import { type ExpressionBuilder, sql } from 'kysely'
import type { Queries } from '../queries/queries.ts'
import { fromJsonText, inList } from '../queries/sql.ts'
import type { Schema } from '../schema/schema.ts'

/** A job that one worker has claimed, until its lease expires. */
export interface ClaimedJob {
  id: number
  queue: string
  kind: string
  payload: unknown
  /** Including this attempt. */
  attempts: number
  maxAttempts: number
  leaseOwner: string
  createdAt: number
  /** The request that caused it. */
  requestId: string | null
}

export interface ClaimRequest {
  queue: string
  /** Unique per worker. */
  owner: string
  /** Timestamp. */
  now: number
  /** Milliseconds until another worker may claim the jobs. */
  lease: number
  /** The maximum number of jobs. */
  limit: number
}

/** The queues with a due job, the longest due first. One query, with a seek per queue. */
export async function findDueQueues(
  q: Queries,
  { queues, now }: { queues: readonly string[]; now: number },
): Promise<string[]> {
  const rows = await q.all(`job.due|${queues.join()}`, { now }, (db, $) => {
    const first = (queue: string) =>
      db
        .selectFrom('jobs')
        .where('queue', '=', sql.lit(queue))
        .where('state', '=', 'queued')
        .where('runAt', '<=', $('now'))
        .orderBy('runAt')
        .limit(1)
        .select('runAt')
    const heads = queues.map((queue) =>
      db.selectNoFrom([sql.lit(queue).as('queue'), first(queue).as('runAt')]),
    )
    const [head, ...others] = heads
    if (head === undefined) throw new TypeError('No queue is named')
    return others.reduce((all, other) => all.unionAll(other), head)
  })
  return rows
    .flatMap(({ queue, runAt }) => (runAt === null ? [] : [{ queue, runAt }]))
    .toSorted((a, b) => a.runAt - b.runAt)
    .map(({ queue }) => queue)
}

/** Claims the due jobs of a queue, in order; no two workers get the same job. */
export async function claimJobs(
  db: Queries,
  { queue, now, lease, owner, limit }: ClaimRequest,
): Promise<ClaimedJob[]> {
  const args = { queue, owner, limit, now, leaseUntil: now + lease }
  const rows = await db.all('job.claim', args, (kysely, $) => {
    const due = kysely
      .selectFrom('jobs')
      .where('queue', '=', $('queue'))
      .where('state', '=', 'queued')
      .where('runAt', '<=', $('now'))
      .orderBy('runAt')
      .orderBy('id')
      .limit($('limit'))
      .select('id')
    // SQLite runs the whole statement under its single writer lock.
    const claimable = db.dialect === 'postgres' ? due.forUpdate().skipLocked() : due
    return kysely
      .updateTable('jobs')
      .set((eb) => ({
        state: 'running',
        attempts: eb('attempts', '+', 1),
        leaseOwner: $('owner'),
        leaseUntil: $('leaseUntil'),
      }))
      .where('id', 'in', claimable)
      .returning([
        'id',
        'queue',
        'kind',
        'payload',
        'attempts',
        'maxAttempts',
        'runAt',
        'createdAt',
        'requestId',
      ])
  })
  return rows
    .toSorted((a, b) => a.runAt - b.runAt || a.id - b.id)
    .map(({ runAt: _, payload, ...job }) => ({
      ...job,
      payload: fromJsonText(payload),
      leaseOwner: owner,
    }))
}

type Lease = Pick<ClaimedJob, 'id' | 'leaseOwner'>

/** Marks a job as finished; false if the lease was lost to another worker. */
export async function completeJob(q: Queries, job: Lease, now: number): Promise<boolean> {
  const args = { id: job.id, owner: job.leaseOwner, now }
  const { changes } = await q.run('job.complete', args, (db, $) =>
    db
      .updateTable('jobs')
      .set({ state: 'done', finishedAt: $('now'), leaseOwner: null, leaseUntil: null })
      .where('id', '=', $('id'))
      .where('state', '=', 'running')
      .where('leaseOwner', '=', $('owner')),
  )
  return changes > 0
}

/** Jobs that one worker has claimed. */
export interface Leases {
  ids: readonly number[]
  owner: string
}

/** Marks jobs as finished, except for those whose lease was lost; returns how many. */
export async function completeJobs(
  q: Queries,
  { ids, owner }: Leases,
  now: number,
): Promise<number> {
  const { changes } = await q.run('job.complete-all', { ids, owner, now }, (db, $) =>
    db
      .updateTable('jobs')
      .set({ state: 'done', finishedAt: $('now'), leaseOwner: null, leaseUntil: null })
      .where(inList('jobs.id', $('ids')))
      .where('state', '=', 'running')
      .where('leaseOwner', '=', $('owner')),
  )
  return changes
}

/** Extends leases; returns the ids of the jobs that the owner still has. */
export async function extendLeases(
  q: Queries,
  { ids, owner }: Leases,
  leaseUntil: number,
): Promise<number[]> {
  const rows = await q.all('job.extend-all', { ids, owner, leaseUntil }, (db, $) =>
    db
      .updateTable('jobs')
      .set({ leaseUntil: $('leaseUntil') })
      .where(inList('jobs.id', $('ids')))
      .where('state', '=', 'running')
      .where('leaseOwner', '=', $('owner'))
      .returning('id'),
  )
  return rows.map(({ id }) => id)
}

/** Milliseconds until the next attempt: 15 s, then doubled each time, at most 6 h. */
export function retryDelay(attempts: number): number {
  return Math.min(15_000 * 2 ** (attempts - 1), 6 * 3_600_000)
}

/**
 * Reschedules a failed job, or marks it as dead after its last attempt. Returns false if the lease
 * was lost.
 */
export async function failJob(
  q: Queries,
  job: Lease & Pick<ClaimedJob, 'attempts' | 'maxAttempts'>,
  error: string,
  now: number,
): Promise<boolean> {
  const dead = job.attempts >= job.maxAttempts
  const args = {
    id: job.id,
    owner: job.leaseOwner,
    state: dead ? ('dead' as const) : ('queued' as const),
    runAt: dead ? now : now + retryDelay(job.attempts),
    finishedAt: dead ? now : null,
    error,
  }
  const { changes } = await q.run('job.fail', args, (db, $) =>
    db
      .updateTable('jobs')
      .set({
        state: $('state'),
        runAt: $('runAt'),
        finishedAt: $('finishedAt'),
        lastError: $('error'),
        leaseOwner: null,
        leaseUntil: null,
      })
      .where('id', '=', $('id'))
      .where('state', '=', 'running')
      .where('leaseOwner', '=', $('owner')),
  )
  return changes > 0
}

/** What makes a job wait again whose attempt does not count. */
function released(eb: ExpressionBuilder<Schema, 'jobs'>) {
  return {
    state: 'queued' as const,
    attempts: eb('attempts', '-', 1),
    leaseOwner: null,
    leaseUntil: null,
  }
}

/** Releases the jobs of a worker that stops; the attempt does not count. */
export async function releaseJobs(q: Queries, owner: string): Promise<number> {
  const { changes } = await q.run('job.release', { owner }, (db, $) =>
    db
      .updateTable('jobs')
      .set(released)
      .where('state', '=', 'running')
      .where('leaseOwner', '=', $('owner')),
  )
  return changes
}

/** Releases jobs that were claimed but not started, for other workers; the attempt does not count. */
export async function returnJobs(q: Queries, { ids, owner }: Leases): Promise<void> {
  await q.run('job.return', { ids, owner }, (db, $) =>
    db
      .updateTable('jobs')
      .set(released)
      .where(inList('jobs.id', $('ids')))
      .where('state', '=', 'running')
      .where('leaseOwner', '=', $('owner')),
  )
}

/**
 * Requeues the jobs whose lease ended before `expiredBefore`, to run now; those without attempts
 * left are dead. Returns how many.
 */
export async function requeueExpiredJobs(
  q: Queries,
  now: number,
  expiredBefore = now,
): Promise<number> {
  const args = { now, expiredBefore, error: 'The worker stopped before the job was done' }
  const dead = await q.run('job.expire.dead', args, (db, $) =>
    db
      .updateTable('jobs')
      .set({ state: 'dead', finishedAt: $('now'), lastError: $('error') })
      .set({ leaseOwner: null, leaseUntil: null })
      .where('state', '=', 'running')
      .where('leaseUntil', '<', $('expiredBefore'))
      .whereRef('attempts', '>=', 'maxAttempts'),
  )
  const queued = await q.run('job.expire.queued', args, (db, $) =>
    db
      .updateTable('jobs')
      .set({ state: 'queued', runAt: $('now'), lastError: $('error') })
      .set({ leaseOwner: null, leaseUntil: null })
      .where('state', '=', 'running')
      .where('leaseUntil', '<', $('expiredBefore')),
  )
  return dead.changes + queued.changes
}
