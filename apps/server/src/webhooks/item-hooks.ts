import {
  findHookSnippet,
  findIssuesById,
  findMergeRequestById,
  type IssueRow,
  listHookLabels,
  listHookLabelsById,
  listIssueAssignees,
  listMergeRequestAssignees,
  type NoteRow,
  type Transaction,
} from '@stithy/store'
import {
  enqueueHooks,
  type HookChanges,
  type IssueHookAction,
  type IssueSnapshot,
  type IssueSource,
  type NoteSource,
} from './webhook-events.ts'

/** Something that happened to an issue. */
export interface IssueAnnouncement {
  /** The issue as it is now. */
  row: IssueRow
  action: IssueHookAction
  /** Who did it. */
  userId: number
  /** Milliseconds since the epoch. */
  at: number
  /** What else changed than labels and assignees, by the names of the wire. */
  changes?: HookChanges | undefined
  /** The labels and assignees before, where they changed. */
  previous?:
    | { labelIds?: readonly number[] | undefined; assigneeIds?: readonly number[] | undefined }
    | undefined
}

/**
 * Has hooks told of an issue (catalogue: issues, 3; admin, 6); a confidential one by its own event alone.
 * It belongs to the end of the transaction, since the labels and assignees are taken as they are then.
 * One query where no hook listens. Wake the worker once the transaction is committed.
 */
export async function announceIssue(
  tx: Transaction,
  announcement: IssueAnnouncement,
): Promise<void> {
  const { row, at } = announcement
  const event = row.confidential === 1 ? 'confidential_issue' : 'issue'
  const told = { projectId: row.projectId, event, at } as const
  await enqueueHooks(tx, told, () => issueSource(tx, announcement))
}

async function issueSource(
  tx: Transaction,
  { row, action, userId, changes = {}, previous }: IssueAnnouncement,
): Promise<IssueSource> {
  const labelIds = previous?.labelIds
  return {
    issue: await issueSnapshot(tx, row),
    action,
    userId,
    changes,
    previousAssigneeIds: previous?.assigneeIds,
    previousLabels: labelIds && (await listHookLabelsById(tx, labelIds)),
  }
}

async function issueSnapshot(tx: Transaction, row: IssueRow): Promise<IssueSnapshot> {
  const assignees = await listIssueAssignees(tx, [row.id])
  return {
    row,
    assigneeIds: assignees.map(({ userId }) => userId),
    labels: await listHookLabels(tx, { targetType: 'issue', targetId: row.id }),
  }
}

/**
 * Has hooks told of a new note (catalogue: merge_requests, 7); one on a confidential issue by its own event
 * alone. What the program remarks is not told, and what is outside of projects neither. One query where no
 * hook listens. Wake the worker once the transaction is committed.
 */
export async function announceNote(
  tx: Transaction,
  note: NoteRow,
  { confidential, at }: { confidential: boolean; at: number },
): Promise<void> {
  if (note.projectId === null || note.system === 1) return
  const event = confidential ? 'confidential_note' : 'note'
  await enqueueHooks(tx, { projectId: note.projectId, event, at }, () => noteSource(tx, note))
}

async function noteSource(tx: Transaction, note: NoteRow): Promise<NoteSource> {
  const { noteableType, noteableId } = note
  if (noteableId === null) return { note }
  if (noteableType === 'issue') {
    const [row] = await findIssuesById(tx, [noteableId])
    return row === undefined ? { note } : { note, issue: await issueSnapshot(tx, row) }
  }
  if (noteableType === 'merge_request') {
    const row = await findMergeRequestById(tx, noteableId)
    if (row === undefined) return { note }
    const assignees = await listMergeRequestAssignees(tx, [noteableId])
    return { note, mergeRequest: { row, assigneeIds: assignees.map(({ userId }) => userId) } }
  }
  const snippet = noteableType === 'snippet' ? await findHookSnippet(tx, noteableId) : undefined
  return snippet === undefined ? { note } : { note, snippet }
}
