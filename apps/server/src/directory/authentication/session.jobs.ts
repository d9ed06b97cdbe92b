import { deleteEndedSessions, deleteExpiredPendingSignIns } from '@stithy/store'
import type { App } from '../../platform/app.ts'

/** Deletes sessions that have ended, and sign-ins that were not completed. */
export const deleteEndedSessionsJob = {
  kind: 'sessions.delete-ended',
  async run(app: App): Promise<void> {
    const now = app.now()
    await app.db.transaction(async (tx) => {
      await deleteEndedSessions(tx, now)
      await deleteExpiredPendingSignIns(tx, now)
    })
  },
}
