import { eventCutoff } from '@stithy/core'
import { removeOldEvents } from '@stithy/store'
import type { App } from '../../platform/app.ts'

/** Events per transaction, so that other writers do not have to wait. */
const batchSize = 1000

/** Deletes events older than two years; scheduled once a day. */
export const removeOldEventsJob = {
  kind: 'events.remove_old',
  async run(app: App, _payload: unknown, signal?: AbortSignal): Promise<void> {
    const cutoff = eventCutoff(app.now())
    while (!signal?.aborted) {
      const removed = await app.db.transaction((tx) =>
        removeOldEvents(tx, { cutoff, limit: batchSize }),
      )
      if (removed < batchSize) return
    }
  },
}
