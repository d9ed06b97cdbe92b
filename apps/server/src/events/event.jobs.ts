import { eventHorizon } from '@stithy/core'
import { removeOldEvents } from '@stithy/store'
import type { App } from '../app.ts'

/** How many events go in one transaction: others shall not have to wait. */
const batchSize = 1000

/** Removes events older than two years (document 1, Limits); to be run once a day. */
export const removeOldEventsJob = {
  kind: 'events.remove_old',
  async run(app: App, _payload: unknown, signal?: AbortSignal): Promise<void> {
    const horizon = eventHorizon(app.now())
    while (!signal?.aborted) {
      const removed = await app.db.transaction((tx) =>
        removeOldEvents(tx, { horizon, limit: batchSize }),
      )
      if (removed < batchSize) return
    }
  },
}
