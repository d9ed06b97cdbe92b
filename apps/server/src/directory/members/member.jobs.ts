import { deleteMembers, listExpiredMembers } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'

/** Job kind: ends expired memberships, daily. */
const expireMembersKind = 'members.expire'

const batch = 500

/**
 * Removes memberships whose last day has passed; memberships of projects get an `expired` event.
 */
async function expireMembers(app: App, signal: AbortSignal): Promise<void> {
  const now = app.now()
  for (;;) {
    signal.throwIfAborted()
    const request = { today: dayOf(now), limit: batch }
    const expired = await listExpiredMembers(app.db, request)
    if (expired.length === 0) return
    await app.db.transaction(async (tx) => {
      await deleteMembers(
        tx,
        expired.map((member) => member.id),
      )
      for (const [memberId, ended] of Map.groupBy(expired, ({ userId }) => userId)) {
        const projects = ended.filter(({ sourceKind }) => sourceKind === 'project')
        await recordChange(tx, {
          kind: 'member.expired',
          userId: memberId,
          at: now,
          now,
          memberId,
          projectIds: projects.map(({ sourceId }) => sourceId),
          memberships: ended,
        })
      }
    })
  }
}

export const expireMembersJob: JobHandler = {
  kind: expireMembersKind,
  run: (app, _, signal) => expireMembers(app, signal),
}
