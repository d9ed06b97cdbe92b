import { enqueueJob, type NewJob, type Transaction } from '@stithy/store'
import type { App } from '../app.ts'
import { inBatches } from './in-batches.ts'

/** The limit of the first batch, which is the only one of most deletions. */
const firstSize = 200

/** After this time, in milliseconds, a request that is not finished was interrupted. */
const interruptedMs = 10 * 60_000

/**
 * `inBatches`, each in a transaction. If one is not enough, a job that does the same is enqueued with
 * the first, so that the others follow even if this process ends.
 */
export async function inDurableBatches(
  app: App,
  job: Pick<NewJob, 'kind' | 'payload'>,
  work: (tx: Transaction, limit: number) => Promise<number>,
): Promise<void> {
  const now = app.now()
  const isDone = await app.db.transaction(async (tx) => {
    if ((await work(tx, firstSize)) < firstSize) return true
    await enqueueJob(tx, { ...job, queue: 'maintenance', runAt: now + interruptedMs }, now)
    return false
  })
  if (!isDone) await inBatches((limit) => app.db.transaction((tx) => work(tx, limit)))
}
