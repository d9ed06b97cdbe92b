import { randomUUID } from 'node:crypto'
import type { NotifiedEvent } from '@stithy/core'
import { enqueueJob, listLabelsOf, type Transaction } from '@stithy/store'
import type { Item, PlannedItem } from '../../planning/items/item.ts'
import type { TextEffects } from '../../planning/mentions/text-effects.service.ts'
import type { Change } from '../../platform/changes/change.ts'
import { isMailSent } from '../../platform/mail/mail.ts'
import {
  type NotificationJob,
  type NotificationTarget,
  type NotifiedPart,
  notifyKind,
} from './notification.ts'

/** The event of each kind of change that tells of one thing only. */
const eventOf = {
  'issue.closed': 'close_issue',
  'issue.reopened': 'reopen_issue',
  'merge_request.closed': 'close_merge_request',
  'merge_request.reopened': 'reopen_merge_request',
  'merge_request.merged': 'merge_merge_request',
  'merge_request.pushed': 'push_to_merge_request',
  'epic.closed': 'close_epic',
  'epic.reopened': 'reopen_epic',
} as const satisfies Record<string, NotifiedEvent>

/** Tells of a change of the state of an issue, merge request or epic, or of its commits. */
export async function notifyOfTransition(
  tx: Transaction,
  change: Change<keyof typeof eventOf>,
): Promise<void> {
  if ('isSilent' in change && change.isSilent) return
  await enqueue(tx, change, [{ event: eventOf[change.kind] }])
}

const creationEvents = {
  issue: 'new_issue',
  merge_request: 'new_merge_request',
  epic: 'new_epic',
} as const satisfies Record<PlannedItem['type'], NotifiedEvent>

/** Tells of a new issue, merge request or epic, unless it is a copy. */
export async function notifyOfNewItem(
  tx: Transaction,
  change: Change<'issue.created' | 'merge_request.created' | 'epic.created'>,
): Promise<void> {
  const { item, texts, participantIds } = change
  if (texts === undefined || item.row.state !== 'opened') return
  const event = creationEvents[item.type]
  await enqueue(tx, change, [{ event, mentionedIds: newlyMentioned(texts), participantIds }])
}

/** Tells of other assignees and labels, and those whom a new description mentions. */
export async function notifyOfUpdate(
  tx: Transaction,
  change: Change<'issue.updated' | 'merge_request.updated' | 'epic.updated'>,
): Promise<void> {
  const { item, assigned, previousLabelIds, texts } = change
  const parts: NotifiedPart[] = []
  if (assigned !== undefined) {
    const event = item.type === 'issue' ? 'reassign_issue' : 'reassign_merge_request'
    parts.push({ event, previousAssigneeIds: assigned.before })
  }
  const newLabelIds = await findNewLabels(tx, item, previousLabelIds)
  if (newLabelIds.length > 0) parts.push({ event: 'relabel', newLabelIds })
  const mentionedIds = texts === undefined ? [] : newlyMentioned(texts)
  if (mentionedIds.length > 0) parts.push({ event: 'new_mention', mentionedIds })
  await enqueue(tx, change, parts)
}

async function findNewLabels(
  tx: Transaction,
  { type, row }: PlannedItem,
  previousIds: readonly number[] | undefined,
): Promise<number[]> {
  if (previousIds === undefined || !isMailSent()) return []
  const labels = await listLabelsOf(tx, { type, ids: [row.id] })
  return labels.map(({ id }) => id).filter((id) => !previousIds.includes(id))
}

/** Tells of a comment. */
export async function notifyOfNote(tx: Transaction, change: Change<'note.created'>): Promise<void> {
  const { note, texts } = change
  await enqueue(tx, change, [{ event: 'new_note', mentionedIds: newlyMentioned(texts) }], note.id)
}

function newlyMentioned({ newlyAddressed, newlyMentioned: others }: TextEffects): number[] {
  return [...newlyAddressed, ...others]
}

/** Enqueues the one job that finds the recipients; none while no mail is sent. */
async function enqueue(
  tx: Transaction,
  { item, userId: actorId, now }: { item: Item; userId: number; now: number },
  parts: readonly NotifiedPart[],
  noteId?: number,
): Promise<void> {
  if (parts.length === 0 || !isMailSent()) return
  const target = targetOf(item)
  const payload: NotificationJob = { key: randomUUID(), actorId, target, noteId, parts }
  await enqueueJob(tx, { queue: 'default', kind: notifyKind, payload }, now)
}

function targetOf(item: Item): NotificationTarget {
  if (item.type !== 'commit') return { type: item.type, id: item.row.id }
  return { type: 'commit', projectId: item.project.row.id, commitId: item.commitId }
}
