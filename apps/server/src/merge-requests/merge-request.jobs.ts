import { findMergeRequestById, findRepository } from '@stithy/store'
import { z } from 'zod'
import type { JobHandler } from '../jobs/worker.ts'
import type { RecordedPush } from '../pushes/push-effects.ts'
import { closeMergedIssues, closeMergedIssuesKind } from './closing/closing.service.ts'
import { settleMergeRequestKind } from './merge-request-create.service.ts'
import { refreshMergeRequests, refreshMergeRequestsKind } from './merge-request-refresh.service.ts'
import { renewMergeRequest } from './merge-request-renew.service.ts'
import { publishHead } from './merge-request-version.service.ts'

const Named = z.object({ id: z.int() })

/**
 * Finishes the creation of a merge request: publishes its head where the creation was cut short before that,
 * and catches up with pushes that did not see it yet.
 */
export const settleMergeRequestJob: JobHandler = {
  kind: settleMergeRequestKind,
  async run(app, payload) {
    const request = await findMergeRequestById(app.db, Named.parse(payload).id)
    if (request === undefined) return
    const target = await findRepository(app.db, request.projectId)
    if (target === undefined) return
    await publishHead(app, target, request)
    await renewMergeRequest(app, request.id)
  },
}

/** Closes the issues that a merged merge request names as closed (catalogue: issues, 7). */
export const closeMergedIssuesJob: JobHandler = {
  kind: closeMergedIssuesKind,
  run: async (app, payload) => closeMergedIssues(app, Named.parse(payload).id),
}

/** Does to merge requests what follows from a push (catalogue: repository, 14). */
export const refreshMergeRequestsJob: JobHandler = {
  kind: refreshMergeRequestsKind,
  run: async (app, payload, signal) => refreshMergeRequests(app, payload as RecordedPush, signal),
}
