import { enqueueUnlessPlanned, enqueueUnlessWaiting, type Transaction } from '@stithy/store'
import type { App } from '../app.ts'
import { type Periodic, startPeriodic } from './periodic.ts'

/** A job that is enqueued again and again. */
export interface RecurringJob {
  kind: string
  everyMs: number
  /**
   * When in each period it runs, in milliseconds from its start, which of a day is midnight (UTC). By
   * default it runs one period after the last one started.
   */
  offsetMs?: number
}

const scheduleEveryMs = 60 * 60_000

/**
 * Keeps one waiting job of each recurring kind in the queue, whatever the result of the last one. A
 * job that no worker ran in time is run late.
 */
export function scheduleRecurring(app: App, recurring: readonly RecurringJob[]): Periodic {
  const run = async () => {
    for (const job of recurring) {
      await app.db.transaction((tx) => enqueueNext(tx, job, app.now()))
    }
  }
  const failure = 'recurring jobs cannot be scheduled'
  return startPeriodic(app, { everyMs: scheduleEveryMs, startsNow: true, run, failure })
}

function enqueueNext(
  tx: Transaction,
  { kind, everyMs, offsetMs }: RecurringJob,
  now: number,
): Promise<boolean> {
  const job = { queue: 'maintenance', kind, payload: null }
  if (offsetMs === undefined) return enqueueUnlessWaiting(tx, { ...job, runAt: now + everyMs }, now)
  // Also while one waits that is late: after that one, this one's time may have passed.
  const runAt = (Math.floor((now - offsetMs) / everyMs) + 1) * everyMs + offsetMs
  return enqueueUnlessPlanned(tx, { ...job, runAt }, now)
}
