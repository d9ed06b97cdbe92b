import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../testing/index.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import type { Queries } from '../queries/queries.ts'
import {
  type ClaimedJob,
  claimJobs,
  completeJob,
  completeJobs,
  extendLeases,
  failJob,
  findDueQueues,
  releaseJobs,
  requeueExpiredJobs,
  retryDelay,
  returnJobs,
} from './job-claims.ts'
import {
  deleteFinishedJobs,
  listDeadJobs,
  readJobStatistics,
  retryDeadJob,
} from './job-statistics.ts'
import { enqueueEachOnce, enqueueJob, enqueueOnce, type NewJob } from './job-store.ts'
import { withRequestId } from './request-context.ts'

const start = 1_000_000
const lease = 60_000
let db: TestDatabase

beforeEach(async () => {
  db = await openTestDatabase()
})

afterEach(() => db.close())

function add(changes: Partial<NewJob> = {}, now = start): Promise<number> {
  const job = { queue: 'default', kind: 'test', payload: { n: 1 }, ...changes }
  return db.transaction((tx) => enqueueJob(tx, job, now))
}

/** As a worker does it: the due queues, then their jobs. */
async function claim(
  now: number,
  owner = 'a',
  limit = 10,
  queues = ['default'],
  q: Queries = db,
): Promise<ClaimedJob[]> {
  const claimed: ClaimedJob[] = []
  for (const queue of await findDueQueues(q, { queues, now })) {
    claimed.push(...(await claimJobs(q, { queue, owner, now, lease, limit })))
  }
  return claimed
}

async function claimOne(now: number, owner = 'a'): Promise<ClaimedJob> {
  const [job] = await claim(now, owner, 1)
  if (job === undefined) throw new Error('There is no job')
  return job
}

describe('claimJobs', () => {
  it('claims due jobs of the given queues, longest due first', async () => {
    const later = await add({ runAt: start + 50 })
    const first = await add()
    await add({ runAt: start + 1000 })
    await add({ queue: 'mail' })
    const jobs = await claim(start + 100)
    expect(jobs.map((job) => job.id)).toEqual([first, later])
    expect(jobs[0]).toMatchObject({ payload: { n: 1 }, attempts: 1, leaseOwner: 'a' })
    expect(await claim(start + 100, 'b')).toEqual([])
  })

  it('claims the longest due of several queues, whatever waits in others', async () => {
    const mail = await add({ queue: 'mail', runAt: start - 10 })
    const first = await add({ runAt: start - 5 })
    await add({ queue: 'slow', runAt: start - 20 })
    const jobs = await claim(start, 'a', 10, ['default', 'mail'])
    expect(jobs.map((job) => job.id)).toEqual([mail, first])
    expect(await claim(start, 'a', 10, ['default', 'mail'])).toEqual([])
  })

  it('seeks due jobs in the order of each queue', async () => {
    const job = { queue: 'default', runAt: start, payload: '{}' }
    const plans = await plansOf((tx) => claim(start, 'a', 2, ['default', 'mail'], tx), job)
    expect([...plans.keys()]).toContain('job.claim')
    expect(costlySteps([...plans.values()].flat())).toEqual([])
  })

  it('gives no job to two concurrent workers', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => add()))
    const other = await db.openAgain()
    const ask = (i: number) => claim(start, `w${i}`, 4, ['default'], i % 2 === 0 ? db : other)
    const taken = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(i)))
    const claimed = taken.flat().map((job) => job.id)
    expect(new Set(claimed).size).toBe(claimed.length)
    const rest = (await claim(start, 'z', 100)).map((job) => job.id)
    expect([...claimed, ...rest].toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
  })

  it('does not see a job whose transaction was rolled back', async () => {
    const failing = db.transaction(async (tx) => {
      await enqueueJob(tx, { queue: 'default', kind: 'test', payload: null }, start)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await claim(start)).toEqual([])
  })
})

describe('a job that fails', () => {
  it('waits twice as long after each try, and is dead after the last', async () => {
    const id = await add({ maxAttempts: 3 })
    let now = start
    for (const attempts of [1, 2]) {
      await failJob(db, await claimOne(now), 'boom', now)
      expect(await claim(now + retryDelay(attempts) - 1)).toEqual([])
      now += retryDelay(attempts)
    }
    expect(now - start).toBe(15_000 + 30_000)
    await failJob(db, await claimOne(now), 'boom', now)
    expect(await claim(now + 1e9)).toEqual([])
    expect(await listDeadJobs(db, 10)).toMatchObject([{ id, attempts: 3, lastError: 'boom' }])
  })

  it('runs at once when it is enqueued once more, and only it', async () => {
    const id = await add()
    const other = await add({ payload: { n: 2 } })
    await failJob(db, await claimOne(start), 'boom', start)
    await failJob(db, await claimOne(start), 'boom', start)
    const job = { queue: 'default', kind: 'test', payload: { n: 1 } }
    await db.transaction((tx) => enqueueOnce(tx, { ...job, runAt: start + 2 }, start + 1))
    expect(await claim(start + 1)).toEqual([])
    expect(await claim(start + 2)).toMatchObject([{ id, attempts: 2 }])
    expect(await claim(start + retryDelay(1))).toMatchObject([{ id: other }])
  })

  it('runs at once among others that are enqueued, each unless it waits', async () => {
    const id = await add()
    await failJob(db, await claimOne(start), 'boom', start)
    const payloads = [{ n: 1 }, { n: 2 }, { n: 3 }]
    const job = { queue: 'default', kind: 'test', payloads }
    for (let round = 0; round < 2; round += 1) {
      await db.transaction((tx) => enqueueEachOnce(tx, job, start + 1))
    }
    const claimed = await claim(start + 1)
    expect(claimed.map(({ payload }) => payload)).toEqual(expect.arrayContaining(payloads))
    expect(claimed).toHaveLength(3)
    expect(claimed.map((one) => one.id)).toContain(id)
  })

  it('can be retried when dead', async () => {
    const id = await add({ maxAttempts: 1 })
    await failJob(db, await claimOne(start), 'boom', start)
    expect(await retryDeadJob(db, id, start)).toBe(true)
    expect(await retryDeadJob(db, id, start)).toBe(false)
    expect(await claimOne(start)).toMatchObject({ id, attempts: 2, maxAttempts: 2 })
  })
})

describe('a lease', () => {
  it('is taken over after it expires, and the old holder can no longer finish', async () => {
    await add()
    const lost = await claimOne(start, 'a')
    expect(await requeueExpiredJobs(db, start + lease)).toBe(0)
    expect(await requeueExpiredJobs(db, start + lease + 1)).toBe(1)
    const taken = await claimOne(start + lease + 1, 'b')
    expect(taken).toMatchObject({ id: lost.id, attempts: 2 })
    expect(await completeJob(db, lost, start)).toBe(false)
    expect(await failJob(db, lost, 'late', start)).toBe(false)
    expect(await completeJob(db, taken, start + lease + 2)).toBe(true)
  })

  it('ends for all jobs when no worker can be left, and they run again at once', async () => {
    await add()
    const lost = await claimOne(start)
    expect(await requeueExpiredJobs(db, start, Number.MAX_SAFE_INTEGER)).toBe(1)
    expect(await claimOne(start, 'b')).toMatchObject({ id: lost.id, attempts: 2 })
  })

  it('can be extended by its holder only', async () => {
    await add()
    const job = await claimOne(start)
    const ids = [job.id]
    expect(await extendLeases(db, { ids, owner: 'b' }, start + 5 * lease)).toEqual([])
    expect(await extendLeases(db, { ids, owner: 'a' }, start + 5 * lease)).toEqual(ids)
    expect(await requeueExpiredJobs(db, start + 4 * lease)).toBe(0)
  })

  it('makes the job dead when it expires on the last attempt', async () => {
    const id = await add({ maxAttempts: 1 })
    await claimOne(start)
    expect(await requeueExpiredJobs(db, start + lease + 1)).toBe(1)
    expect(await listDeadJobs(db, 10)).toMatchObject([{ id }])
  })

  it('is released without counting the attempt when a worker stops', async () => {
    await add()
    await claimOne(start, 'a')
    expect(await releaseJobs(db, 'a')).toBe(1)
    expect(await claimOne(start, 'b')).toMatchObject({ attempts: 1 })
  })
})

describe('completeJobs', () => {
  it('finishes several jobs, except for those that another worker has by now', async () => {
    const ids = [await add(), await add(), await add()]
    const [lost] = await claim(start)
    await db.run('test.take', { id: lost?.id ?? 0 }, (kysely, $) =>
      kysely.updateTable('jobs').set({ leaseOwner: 'b' }).where('id', '=', $('id')),
    )
    expect(await completeJobs(db, { ids, owner: 'a' }, start)).toBe(2)
    expect(await completeJobs(db, { ids, owner: 'b' }, start)).toBe(1)
    expect(await claim(start)).toEqual([])
    expect(await readJobStatistics(db, start)).toMatchObject({ processed: 3, failed: 0 })
  })

  it('looks up the jobs by their ids', async () => {
    const plans = await plansOf((tx) => completeJobs(tx, { ids: [1, 2], owner: 'a' }, start), {
      queue: 'default',
      runAt: start,
      payload: '{}',
    })
    expect(costlySteps([...plans.values()].flat())).toEqual([])
  })
})

describe('returnJobs', () => {
  it('gives jobs that were not started to others, without counting the attempt', async () => {
    const [first, second] = [await add(), await add()]
    await claim(start, 'a')
    await returnJobs(db, { ids: [first, second], owner: 'b' })
    expect(await claim(start, 'b')).toEqual([])
    await returnJobs(db, { ids: [second], owner: 'a' })
    expect(await claim(start, 'b')).toMatchObject([{ id: second, attempts: 1 }])
  })
})

describe('the request of a job', () => {
  it('is the one that is worked for, or none', async () => {
    await withRequestId('request 1', () => add())
    await add()
    await withRequestId('request 2', () => withRequestId(null, () => add()))
    const jobs = await claim(start)
    expect(jobs.map(({ requestId }) => requestId)).toEqual(['request 1', null, null])
  })
})

describe('deleteFinishedJobs', () => {
  it('deletes so many at a time, and none that finished later', async () => {
    for (let index = 0; index < 4; index += 1) await add()
    const jobs = await claim(start)
    const [late, ...early] = jobs.map(({ id }) => id)
    await completeJobs(db, { ids: early, owner: 'a' }, start + 1)
    await completeJobs(db, { ids: [late ?? 0], owner: 'a' }, start + 10)
    const remove = () => db.transaction((tx) => deleteFinishedJobs(tx, start + 10, 2))
    expect([await remove(), await remove(), await remove()]).toEqual([2, 1, 0])
    expect(await readJobStatistics(db, start)).toMatchObject({ processed: 4, failed: 0 })
  })
})

describe('readJobStatistics', () => {
  it('keeps its totals when finished jobs are deleted', async () => {
    await add({ maxAttempts: 2 })
    await failJob(db, await claimOne(start), 'boom', start)
    const now = start + retryDelay(1)
    await completeJob(db, await claimOne(now), now)
    await add({ runAt: now - 700 }, now)
    await add({ queue: 'mail', runAt: now - 300 }, now)
    await add({ runAt: now + 1 }, now)
    const figures = await readJobStatistics(db, now)
    expect(figures).toEqual({
      queues: [
        { queue: 'default', backlog: 1, latency: 700 },
        { queue: 'mail', backlog: 1, latency: 300 },
      ],
      processed: 2,
      failed: 1,
      enqueued: 3,
      dead: 0,
    })
    expect(await db.transaction((tx) => deleteFinishedJobs(tx, now + 1, 10))).toBe(1)
    expect(await readJobStatistics(db, now)).toEqual(figures)
  })
})
