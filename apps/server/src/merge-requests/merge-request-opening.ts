import { anonymous } from '@stithy/core'
import {
  findMergeRequestById,
  type MergeRequestRow,
  type NewMergeRequest,
  setClosings,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import { actingUser } from '../authentication/acting-user.ts'
import type { Caller } from '../http/call.ts'
import type { MergeRequestItem } from '../items/item.ts'
import { thoseWhoMayRead } from '../items/readers.service.ts'
import {
  applyTextEffects,
  ownText,
  planTextEffects,
  type TextEffects,
} from '../mentions/text-effects.service.ts'
import { loadProject } from '../projects/project-subject.ts'
import { addTodos } from '../todos/todo.service.ts'
import { planClosings } from './closing/closing.service.ts'

/** What follows from a new merge request, beside its event. */
export interface Opening {
  draft: MergeRequestItem
  /** Those of the assignees who can read it. */
  assigneeIds: readonly number[]
  effects: TextEffects
  /** The issues that it closes. */
  closings: readonly number[]
}

/** Looks up what follows from a new merge request; undefined where its project is gone. */
export async function planOpening(app: App, row: NewMergeRequest): Promise<Opening | undefined> {
  const author = await actingUser(app, row.authorId)
  const caller: Caller = author ?? { facts: anonymous, user: null, scopes: [] }
  const project = await loadProject(app, String(row.projectId), caller)
  if (project === undefined) return undefined
  const { assigneeIds } = row
  const draft: MergeRequestItem = {
    type: 'merge_request',
    row: draftRow(row, project.row.fullPath),
    project,
    assigneeIds,
  }
  const readers = await thoseWhoMayRead(app, draft, assigneeIds)
  return {
    draft,
    assigneeIds: assigneeIds.filter((id) => readers.has(id)),
    effects: await planTextEffects(app, caller, draft, { text: ownText(row) }),
    closings: await planClosings(app, row, row.version.commits),
  }
}

/** Gives todos, remarks on what is named, and keeps what is closed (catalogue: merge requests, 3). */
export async function applyOpening(
  tx: Transaction,
  { draft, assigneeIds: userIds, effects, closings }: Opening,
  { id, at }: { id: number; at: number },
): Promise<void> {
  const row = await findMergeRequestById(tx, id)
  if (row === undefined) return
  const item = { ...draft, row }
  await addTodos(tx, { item, userIds, authorId: row.authorId, action: 'assigned', at })
  await applyTextEffects(tx, { ...effects, item }, { at })
  await setClosings(tx, { id, issueIds: closings })
}

/** The request as it will be; it has neither id nor number yet. */
function draftRow(
  { assigneeIds, version, ...row }: NewMergeRequest,
  projectFullPath: string,
): MergeRequestRow {
  const { headSha, baseSha, startSha } = version
  return {
    ...row,
    ...{ headSha, baseSha, startSha, projectFullPath },
    ...{ id: 0, iid: 0, latestVersionId: 0, workInProgress: 0 },
    ...{ state: 'opened', mergeStatus: 'unchecked', mergeError: null, mergeCommitSha: null },
    ...{ mergedById: null, mergedAt: null, closedById: null, closedAt: null },
    ...{ mergeUserId: null, mergeWhenPipelineSucceeds: 0, shouldRemoveSourceBranch: null },
    ...{ discussionLocked: null, milestoneId: null, timeEstimate: 0, totalTimeSpent: 0 },
    ...{ userNotesCount: 0, upvotes: 0, downvotes: 0, taskCount: 0, taskDoneCount: 0 },
    ...{ labelCount: 0, assigneeCount: assigneeIds.length, updatedAt: row.createdAt },
  }
}
