import type { EventAction } from '@stithy/core'
import { clearEventTarget, recordEvent, recordEvents, type Transaction } from '@stithy/store'
import type { Change, ChangeKind } from '../../platform/changes/change.ts'

type MembershipKind = 'member.joined' | 'member.left' | 'member.expired'

const membershipActions = {
  'member.joined': 'joined',
  'member.left': 'left',
  'member.expired': 'expired',
} as const satisfies Record<MembershipKind, EventAction>

/** Records the activity event of a membership in each of its projects. */
export async function recordMembershipEvents(
  tx: Transaction,
  { kind, memberId, projectIds, at }: Change<MembershipKind>,
): Promise<void> {
  const action = membershipActions[kind]
  const event = { authorId: memberId, action, createdAt: at }
  await recordEvents(
    tx,
    projectIds.map((projectId) => ({ ...event, projectId })),
  )
}

export async function recordProjectCreated(
  tx: Transaction,
  { projectId, userId: authorId, at: createdAt }: Change<'project.created'>,
): Promise<void> {
  await recordEvent(tx, { projectId, authorId, action: 'created', createdAt })
}

/** Records an activity event for each branch and tag of a push. */
export async function recordPushEvents(
  tx: Transaction,
  { push: { projectId }, data, userId: authorId, at: createdAt }: Change<'refs.moved'>,
): Promise<void> {
  const event = { projectId, authorId, action: 'pushed' as const, createdAt }
  await recordEvents(
    tx,
    data.map((push) => ({ ...event, push })),
  )
}

const itemActions = {
  'issue.created': 'created',
  'issue.closed': 'closed',
  'issue.reopened': 'reopened',
  'merge_request.created': 'created',
  'merge_request.closed': 'closed',
  'merge_request.reopened': 'reopened',
  'merge_request.merged': 'merged',
} as const satisfies Partial<Record<ChangeKind, EventAction>>

export async function recordItemEvent(
  tx: Transaction,
  { kind, item, userId: authorId, now: createdAt }: Change<keyof typeof itemActions>,
): Promise<void> {
  const { id, iid, title, projectId } = item.row
  const target = { type: item.type, id, iid, title }
  await recordEvent(tx, { projectId, authorId, action: itemActions[kind], target, createdAt })
}

/** Epics belong to no project, so notes on them have no events. */
export async function recordNoteEvent(
  tx: Transaction,
  { note, now: createdAt }: Change<'note.created'>,
): Promise<void> {
  const { id, projectId, authorId, noteableType, noteableId } = note
  if (projectId === null) return
  const target = { type: note.type ?? ('note' as const), id }
  const noteable = { type: noteableType, id: noteableId }
  await recordEvent(tx, { projectId, authorId, action: 'commented', target, noteable, createdAt })
}

const milestoneActions = {
  'milestone.created': 'created',
  'milestone.closed': 'closed',
  'milestone.reopened': 'reopened',
  'milestone.deleted': 'destroyed',
} as const satisfies Partial<Record<ChangeKind, EventAction>>

/** Group milestones have no events. */
export async function recordMilestoneEvent(
  tx: Transaction,
  { kind, milestone, userId: authorId, now: createdAt }: Change<keyof typeof milestoneActions>,
): Promise<void> {
  const { id, iid, title, projectId } = milestone
  if (projectId === null) return
  const target = { type: 'milestone', id, iid, title } as const
  await recordEvent(tx, { projectId, authorId, action: milestoneActions[kind], target, createdAt })
}

/** The events of a deleted milestone are kept, without its id. */
export async function clearMilestoneInEvents(
  tx: Transaction,
  { milestone: { id, projectId } }: Change<'milestone.deleted'>,
): Promise<void> {
  if (projectId !== null) await clearEventTarget(tx, { projectId, type: 'milestone', id })
}

export async function clearPromotedMilestonesInEvents(
  tx: Transaction,
  { merged }: Change<'milestone.promoted'>,
): Promise<void> {
  for (const { id, projectId } of merged) {
    await clearEventTarget(tx, { projectId, type: 'milestone', id })
  }
}
