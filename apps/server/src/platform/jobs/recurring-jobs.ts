import { enqueueUnlessWaiting } from '@stithy/store'
import type { App } from '../app.ts'
import { type Periodic, startPeriodic } from './periodic.ts'

/** A job that is enqueued again, one period after the last one started. */
export interface RecurringJob {
  kind: string
  everyMs: number
}

const scheduleEveryMs = 60 * 60_000

/**
 * Keeps one waiting job of each recurring kind in the queue, whatever the result of the last one.
 */
export function scheduleRecurring(app: App, recurring: readonly RecurringJob[]): Periodic {
  const run = async () => {
    for (const { kind, everyMs } of recurring) {
      await app.db.transaction((tx) => {
        const now = app.now()
        const job = { queue: 'maintenance', kind, payload: null, runAt: now + everyMs }
        return enqueueUnlessWaiting(tx, job, now)
      })
    }
  }
  const failure = 'recurring jobs cannot be scheduled'
  return startPeriodic(app, { everyMs: scheduleEveryMs, startsNow: true, run, failure })
}
