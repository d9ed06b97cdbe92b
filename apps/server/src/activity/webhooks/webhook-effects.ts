import { enqueueJob, listHookLabelsById, type Transaction } from '@stithy/store'
import type { Change, ChangeKind } from '../../platform/changes/change.ts'
import { issueHookChanges, mergeRequestHookChanges } from './hook-changes.ts'
import { issueSnapshot, mergeRequestSnapshot, noteSource } from './hook-sources.ts'
import {
  enqueueHooks,
  type IssueHookAction,
  type MergeRequestHookAction,
  pushHooksKind,
} from './webhook-events.ts'

/** Enqueues a job that triggers push and tag hooks. */
export async function enqueuePushHooks(
  tx: Transaction,
  { push, now }: Change<'refs.moved'>,
): Promise<void> {
  await enqueueJob(tx, { queue: 'pushes', kind: pushHooksKind, payload: push }, now)
}

export async function enqueuePipelineHooks(
  tx: Transaction,
  { pipeline, stages, now: at }: Change<'pipeline.status_changed'>,
): Promise<void> {
  const { projectId } = pipeline
  await enqueueHooks(tx, { projectId, event: 'pipeline', at }, () => ({
    pipeline,
    stages: [...stages],
  }))
}

/**
 * Triggers wiki page hooks, of which there is one event for each page.
 */
export async function enqueueWikiPageHooks(
  tx: Transaction,
  { projectId, userId, pages, now: at }: Change<'wiki.changed'>,
): Promise<void> {
  for (const page of pages) {
    await enqueueHooks(tx, { projectId, event: 'wiki_page', at }, () => ({ page, userId }))
  }
}

const issueActions = {
  'issue.created': 'open',
  'issue.updated': 'update',
  'issue.closed': 'close',
  'issue.reopened': 'reopen',
} as const satisfies Partial<Record<ChangeKind, IssueHookAction>>

/**
 * Triggers issue hooks with the issue as it is at this point of the transaction. Confidential
 * issues have a separate event. One query when no hook subscribes.
 */
export async function enqueueIssueHooks(
  tx: Transaction,
  change: Change<keyof typeof issueActions>,
): Promise<void> {
  const { kind, userId, now: at } = change
  const { row } = change.item
  const event = row.confidential === 1 ? 'confidential_issue' : 'issue'
  await enqueueHooks(tx, { projectId: row.projectId, event, at }, async () => {
    const { assigned, previousLabelIds } = change.kind === 'issue.updated' ? change : nothing
    return {
      issue: await issueSnapshot(tx, row),
      action: issueActions[kind],
      userId,
      changes: change.kind === 'issue.created' ? {} : issueHookChanges(change.before.row, row),
      previousAssigneeIds: assigned?.before,
      previousLabels: previousLabelIds && (await listHookLabelsById(tx, previousLabelIds)),
    }
  })
}

const mergeRequestActions = {
  'merge_request.created': 'open',
  'merge_request.updated': 'update',
  'merge_request.closed': 'close',
  'merge_request.reopened': 'reopen',
  'merge_request.merged': 'merge',
  'merge_request.pushed': 'update',
  'merge_request.approved': 'approved',
  'merge_request.unapproved': 'unapproved',
} as const satisfies Partial<Record<ChangeKind, MergeRequestHookAction>>

/** Does the same for merge requests. */
export async function enqueueMergeRequestHooks(
  tx: Transaction,
  change: Change<keyof typeof mergeRequestActions>,
): Promise<void> {
  const { kind, userId, now: at } = change
  const { row } = change.item
  await enqueueHooks(tx, { projectId: row.projectId, event: 'merge_request', at }, async () => {
    const { assigned, previousLabelIds } = kind === 'merge_request.updated' ? change : nothing
    return {
      mergeRequest: await mergeRequestSnapshot(tx, row),
      action: mergeRequestActions[kind],
      userId,
      changes: 'before' in change ? mergeRequestHookChanges(change.before.row, row) : {},
      previousAssigneeIds: assigned?.before,
      previousLabels: previousLabelIds && (await listHookLabelsById(tx, previousLabelIds)),
      oldRev: kind === 'merge_request.pushed' ? change.oldRev : undefined,
    }
  })
}

const nothing = { assigned: undefined, previousLabelIds: undefined }

/**
 * Triggers note hooks. Notes on confidential issues have a separate event; notes outside of
 * projects have none.
 */
export async function enqueueNoteHooks(
  tx: Transaction,
  { item, note, now: at }: Change<'note.created'>,
): Promise<void> {
  const { projectId } = note
  if (projectId === null) return
  const confidential = item.type === 'issue' && item.row.confidential === 1
  const event = confidential ? 'confidential_note' : 'note'
  await enqueueHooks(tx, { projectId, event, at }, () => noteSource(tx, note))
}
