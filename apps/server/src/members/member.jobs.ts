import { deleteMembers, listLapsedMembers, recordEvents } from '@stithy/store'
import type { App } from '../app.ts'
import type { JobHandler } from '../jobs/worker.ts'
import { removeHiddenTodosLater } from '../todos/lost-access.service.ts'
import { dayOf } from './day.ts'

/** The recurring job that ends memberships (catalogue: projects, Members: a daily job). */
const expireMembersKind = 'members.expire'

const batch = 500

/** Removes memberships whose last day has passed, with the event `expired` where it was a project's. */
async function expireMembers(app: App, signal: AbortSignal): Promise<void> {
  const createdAt = app.now()
  for (;;) {
    signal.throwIfAborted()
    const request = { today: dayOf(createdAt), limit: batch }
    const lapsed = await listLapsedMembers(app.db, request)
    if (lapsed.length === 0) return
    await app.db.transaction(async (tx) => {
      await deleteMembers(
        tx,
        lapsed.map((member) => member.id),
      )
      const events = lapsed
        .filter((member) => member.sourceKind === 'project')
        .map(({ sourceId, userId }) => {
          return {
            projectId: sourceId,
            authorId: userId,
            action: 'expired' as const,
            createdAt,
          }
        })
      for (const userId of new Set(lapsed.map((member) => member.userId))) {
        await removeHiddenTodosLater(tx, { userId }, createdAt)
      }
      await recordEvents(tx, events)
    })
  }
}

export const expireMembersJob: JobHandler = {
  kind: expireMembersKind,
  run: (app, _, signal) => expireMembers(app, signal),
}
