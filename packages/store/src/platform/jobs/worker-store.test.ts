import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../testing/index.ts'
import { addToCounter, readCounters } from './counter-store.ts'
import {
  deleteLostWorkers,
  deleteWorker,
  listWorkers,
  saveWorker,
  type WorkerRecord,
} from './worker-store.ts'

let db: TestDatabase
beforeEach(async () => {
  db = await openTestDatabase()
})
afterEach(() => db.close())

const worker: WorkerRecord = {
  id: 'a',
  hostname: 'host',
  pid: 7,
  tag: 'worker',
  queues: ['default', 'webhooks'],
  labels: ['large'],
  concurrency: 10,
  busy: 0,
  startedAt: 1000,
}

it('lists the workers that were heard of, the oldest first, with their last state', async () => {
  await saveWorker(db, { ...worker, id: 'b', startedAt: 2000 }, 2000)
  await saveWorker(db, worker, 1000)
  await saveWorker(db, { ...worker, busy: 3 }, 5000)
  expect(await listWorkers(db, 1000)).toEqual([
    { ...worker, busy: 3 },
    { ...worker, id: 'b', startedAt: 2000 },
  ])
  expect(await listWorkers(db, 5000)).toEqual([{ ...worker, busy: 3 }])
})

it('forgets workers that stop or are not heard of', async () => {
  for (const [id, at] of [
    ['a', 1000],
    ['b', 2000],
    ['c', 3000],
  ] as const) {
    await saveWorker(db, { ...worker, id }, at)
  }
  await deleteWorker(db, 'c')
  await deleteLostWorkers(db, 2000)
  expect((await listWorkers(db, 0)).map(({ id }) => id)).toEqual(['b'])
})

it('adds to counters, which start at 0', async () => {
  await addToCounter(db, 'one', 2)
  await addToCounter(db, 'one', 3)
  await addToCounter(db, 'two', 0)
  expect(await readCounters(db, ['one', 'two'])).toEqual({ one: 5, two: 0 })
})
