import { anonymous } from '@stithy/core'
import { findIssuesById, type IssueCopyKey, lockItemRow } from '@stithy/store'
import { z } from 'zod'
import { actingUser } from '../../../directory/authentication/acting-user.ts'
import { loadProject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { JobHandler } from '../../../platform/jobs/run-job.ts'
import { findEpicItem } from '../../epics/epic-lookup.service.ts'
import type { IssueItem, ItemPlace } from '../../items/item.ts'
import {
  copyNotesKind,
  enqueueRest,
  type NoteCopying,
  planNotes,
  writeNotes,
} from './issue-copy.service.ts'

const Payload = z.object({
  sourceId: z.int(),
  copy: z.object({ type: z.enum(['issue', 'epic']), id: z.int() }),
  after: z.object({ createdAt: z.int(), id: z.int() }),
  through: z.int(),
  userId: z.int(),
})

/**
 * Copies a batch of the notes of an issue to its copy, and enqueues the job for the next: until the
 * last one, or until one of the two is deleted.
 */
export const copyNotesJob: JobHandler = {
  kind: copyNotesKind,
  async run(app, payload, _signal, job) {
    const copying: NoteCopying = Payload.parse(payload)
    const { sourceId, userId } = copying
    const nobody: Caller = { facts: anonymous, user: null, scopes: [] }
    const caller = (await actingUser(app, userId)) ?? nobody
    const source = await findIssueItem(app, caller, sourceId)
    const target = await findTarget(app, caller, copying.copy)
    if (source === undefined || target === undefined) return
    const { to, place } = target
    const batch = await planNotes(app, caller, source, place, copying)
    if (batch.notes.length === 0) return
    await app.db.transaction(async (tx) => {
      if (!(await lockItemRow(tx, to))) return
      await writeNotes(tx, { from: sourceId, to }, batch)
      await enqueueRest(tx, { ...copying, after: batch.last }, app.now())
      await job.complete(tx)
    })
  },
}

/** An issue without its assignees, whether the caller may read it or not. Two queries. */
async function findIssueItem(app: App, caller: Caller, id: number): Promise<IssueItem | undefined> {
  const [row] = await findIssuesById(app.db, [id])
  const project = row && (await loadProject(app, String(row.projectId), caller))
  return row && project && { type: 'issue', row, project, assigneeIds: [] }
}

async function findTarget(
  app: App,
  caller: Caller,
  { type, id }: NoteCopying['copy'],
): Promise<{ to: IssueCopyKey; place: ItemPlace } | undefined> {
  if (type === 'epic') {
    const epic = await findEpicItem(app.db, id)
    return epic && { to: { type, id, projectId: null }, place: epic }
  }
  const issue = await findIssueItem(app, caller, id)
  return issue && { to: { type, id, projectId: issue.row.projectId }, place: issue }
}
