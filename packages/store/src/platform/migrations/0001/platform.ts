import type { Tools } from '../tools.ts'

/** jobs, workers, jobSamples, counters, settings, stamps */
export async function createPlatform(t: Tools): Promise<void> {
  await t.table('jobs', {
    id: t.id(),
    queue: t.text(),
    kind: t.text(),
    payload: t.text(),
    state: t.text('queued'),
    attempts: t.int(0),
    maxAttempts: t.int(),
    runAt: t.long(),
    leaseUntil: t.longOrNull(),
    leaseOwner: t.textOrNull(),
    lastError: t.textOrNull(),
    createdAt: t.long(),
    finishedAt: t.longOrNull(),
    requestId: t.textOrNull(),
  })
  await t.index('jobs', 'state', 'runAt', 'id')
  // Each queue is read in its own order, however many jobs wait in the others.
  await t.index('jobs', 'queue', 'state', 'runAt', 'id')
  await t.table(
    'workers',
    {
      id: t.text(),
      hostname: t.text(),
      pid: t.int(),
      tag: t.text(),
      queues: t.text(),
      labels: t.text(),
      concurrency: t.int(),
      busy: t.int(),
      startedAt: t.long(),
      seenAt: t.long(),
    },
    ['id'],
  )
  const sample = { minute: t.long(), backlog: t.int(), latency: t.long() }
  await t.table('jobSamples', sample, ['minute'])
  await t.table('counters', { name: t.text(), value: t.long() }, ['name'])
  const setting = { key: t.text(), value: t.text(), updatedAt: t.long() }
  await t.table('settings', setting, ['key'])
  await t.table('stamps', { name: t.text(), shard: t.int(), version: t.long() }, ['name', 'shard'])
}
