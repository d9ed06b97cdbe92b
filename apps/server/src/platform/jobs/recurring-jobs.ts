import { enqueueUnlessWaiting } from '@stithy/store'
import type { App } from '../app.ts'

/** A job that is enqueued again, one period after the last one started. */
export interface RecurringJob {
  kind: string
  everyMs: number
}

const scheduleEveryMs = 60 * 60_000

/**
 * Keeps one waiting job of each recurring kind in the queue, whatever the result of the last one.
 */
export function scheduleRecurring(app: App, recurring: readonly RecurringJob[]): NodeJS.Timeout {
  const schedule = async () => {
    for (const { kind, everyMs } of recurring) {
      await app.db.transaction((tx) => {
        const now = app.now()
        const job = { queue: 'maintenance', kind, payload: null, runAt: now + everyMs }
        return enqueueUnlessWaiting(tx, job, now)
      })
    }
  }
  const safeSchedule = () => {
    schedule().catch((error: unknown) =>
      app.log.error({ err: error }, 'recurring jobs cannot be scheduled'),
    )
  }
  safeSchedule()
  return setInterval(safeSchedule, scheduleEveryMs).unref()
}
