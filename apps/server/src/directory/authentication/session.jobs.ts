import { deleteEndedSessions } from '@stithy/store'
import type { App } from '../../platform/app.ts'

/** Deletes sessions that have ended. */
export const deleteEndedSessionsJob = {
  kind: 'sessions.delete-ended',
  async run(app: App): Promise<void> {
    await app.db.transaction((tx) => deleteEndedSessions(tx, app.now()))
  },
}
