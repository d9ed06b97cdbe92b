import { findMergeRequestById, findRepository } from '@stithy/store'
import { z } from 'zod'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { closeMergedIssues, closeMergedIssuesKind } from './closing/closing.service.ts'
import { closeSourceless, type Sourceless } from './merge-request-close.service.ts'
import { type DeletedRefs, removeMergeRequestRefs } from './merge-request-delete.service.ts'
import {
  closeMergeRequestsKind,
  completeMergeRequestKind,
  removeMergeRequestRefsKind,
} from './merge-request-effects.ts'
import {
  type Refresh,
  refreshMergeRequestsKind,
  refreshSome,
} from './merge-request-refresh.service.ts'
import { renewMergeRequest } from './merge-request-renew.service.ts'
import { publishHead } from './merge-request-version.service.ts'

const Named = z.object({ id: z.int() })

/**
 * Completes the creation of a merge request: publishes its head if the creation was interrupted
 * before, and processes pushes that missed it.
 */
export const completeMergeRequestJob: JobHandler = {
  kind: completeMergeRequestKind,
  async run(app, payload) {
    const request = await findMergeRequestById(app.db, Named.parse(payload).id)
    if (request === undefined) return
    const target = await findRepository(app.db, request.projectId)
    if (target === undefined) return
    await publishHead(app, target, request)
    await renewMergeRequest(app, request.id)
  },
}

/** Closes merge requests from deleted or unlinked projects. */
export const closeMergeRequestsJob: JobHandler = {
  kind: closeMergeRequestsKind,
  run: async (app, payload) => closeSourceless(app, payload as Sourceless),
}

/** Removes the refs of a deleted merge request. */
export const removeMergeRequestRefsJob: JobHandler = {
  kind: removeMergeRequestRefsKind,
  run: async (app, payload) => removeMergeRequestRefs(app, payload as DeletedRefs),
}

/** Closes the issues that a merged merge request closes. */
export const closeMergedIssuesJob: JobHandler = {
  kind: closeMergedIssuesKind,
  run: async (app, payload) => closeMergedIssues(app, Named.parse(payload).id),
}

/** Updates merge requests after a push. */
export const refreshMergeRequestsJob: JobHandler = {
  kind: refreshMergeRequestsKind,
  run: (app, payload, signal, job) => refreshSome(app, payload as Refresh, signal, job),
}
