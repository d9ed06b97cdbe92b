import { anonymous, wantsNotification } from '@stithy/core'
import { listChosenLevels, listPlaceMembers } from '@stithy/store'
import { loadProject } from '../../directory/projects/project-subject.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { enqueueMails } from '../../platform/mail/mail.ts'
import { levelOf } from './chosen-level.ts'
import {
  type AccessRequestJob,
  type AccessRequestPayload,
  accessRequestKind,
  type MovedJob,
  type MovedPayload,
  movedKind,
  movedNotifyKind,
  requestAccessNotifyKind,
} from './place-notification.ts'

/** Enqueues the mails about a request for access. */
export const notifyOfAccessRequestJob: JobHandler = {
  kind: requestAccessNotifyKind,
  async run(app, payload) {
    const { key, source, actorId, deciderIds } = payload as AccessRequestJob
    const sent: AccessRequestPayload = { source, actorId }
    const mails = deciderIds
      .filter((userId) => userId !== actorId)
      .map((userId) => ({
        key: `${key}:${userId}`,
        kind: accessRequestKind,
        userId,
        payload: sent,
      }))
    await app.db.transaction((tx) => enqueueMails(tx, mails, app.now()))
  },
}

/** Members whose levels are read at a time, and whose mails one transaction stores. */
const batch = 100

/** Enqueues the mails about the new namespace of a project. */
export const notifyOfTransferJob: JobHandler = {
  kind: movedNotifyKind,
  async run(app, payload, signal) {
    const { key, projectId, actorId } = payload as MovedJob
    const project = await loadProject(app, String(projectId), { facts: anonymous })
    if (project === undefined) return
    const place = { projectId, namespaceId: project.row.namespaceId }
    const sent: MovedPayload = { projectId, actorId }
    const today = dayOf(app.now())
    const types = new Set(['participating'] as const)
    for (let after = 0; ; ) {
      signal.throwIfAborted()
      const userIds = await listPlaceMembers(app.db, { ...place, today, after, limit: batch })
      const levels = levelOf(await listChosenLevels(app.db, { ...place, userIds }))
      const mails = userIds
        .filter((userId) => userId !== actorId)
        .filter((userId) =>
          wantsNotification(levels(userId), 'moved_project', { types, unsubscribed: false }),
        )
        .map((userId) => ({ key: `${key}:${userId}`, kind: movedKind, userId, payload: sent }))
      await app.db.transaction((tx) => enqueueMails(tx, mails, app.now()))
      if (userIds.length < batch) return
      after = userIds.at(-1) ?? after
    }
  },
}
