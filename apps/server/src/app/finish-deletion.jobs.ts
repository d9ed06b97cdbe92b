import { findMergeRequestById, findSnippet } from '@stithy/store'
import { z } from 'zod'
import { removeEpic } from '../planning/epics/epic-delete.service.ts'
import { findReadableEpic } from '../planning/epics/epic-lookup.service.ts'
import { removeIssue } from '../planning/issues/issue-delete.service.ts'
import { findReadableIssue } from '../planning/issues/issue-subject.ts'
import { finishDeletionKind, type ItemDeletion } from '../planning/items/item-removal.ts'
import { removeSnippet } from '../planning/snippets/snippet.service.ts'
import type { App } from '../platform/app.ts'
import type { Caller } from '../platform/http/call.ts'
import type { JobHandler } from '../platform/jobs/run-job.ts'
import { removeMergeRequest } from '../review/merge-requests/merge-request-delete.service.ts'
import { loadItemForJob } from '../review/merge-requests/merge-request-for-job.ts'

const Deletion = z.object({
  type: z.enum(['issue', 'merge_request', 'epic', 'snippet']),
  id: z.int(),
  userId: z.int(),
}) satisfies z.ZodType<ItemDeletion>

/** Deletes an item whose deletion was begun; there is nothing to do if it wasn't interrupted. */
export const finishDeletionJob: JobHandler = {
  kind: finishDeletionKind,
  run: (app, payload) => finish(app, Deletion.parse(payload)),
}

async function finish(app: App, { type, id, userId }: ItemDeletion): Promise<void> {
  const now = app.now()
  const by = { userId, at: now, now }
  // Whether the user may delete it was decided by the request.
  const caller: Caller = {
    facts: { userId, admin: true, external: false },
    user: null,
    scopes: [],
  }
  switch (type) {
    case 'issue': {
      const issue = await findReadableIssue(app, caller, id)
      if (issue !== undefined) await removeIssue(app, by, issue)
      return
    }
    case 'epic': {
      const epic = await findReadableEpic(app, caller, id)
      if (epic !== undefined) await removeEpic(app, by, epic)
      return
    }
    case 'merge_request': {
      const row = await findMergeRequestById(app.db, id)
      const request = row && (await loadItemForJob(app, row))
      if (request !== undefined) await removeMergeRequest(app, by, request)
      return
    }
    case 'snippet': {
      const row = await findSnippet(app.db, id)
      if (row !== undefined)
        await removeSnippet(app, by, { type: 'snippet', row, project: undefined })
    }
  }
}
