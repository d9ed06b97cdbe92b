import {
  findHookSnippet,
  findIssuesById,
  findMergeRequestById,
  type IssueRow,
  listHookLabels,
  listIssueAssignees,
  listMergeRequestAssignees,
  type MergeRequestRow,
  type NoteRow,
  type Transaction,
} from '@stithy/store'
import type { IssueSnapshot, MergeRequestSnapshot, NoteSource } from './webhook-events.ts'

/** An issue with its labels and assignees, as they are in the transaction. */
export async function issueSnapshot(tx: Transaction, row: IssueRow): Promise<IssueSnapshot> {
  const assignees = await listIssueAssignees(tx, [row.id])
  return {
    row,
    assigneeIds: assignees.map(({ userId }) => userId),
    labels: await listHookLabels(tx, { targetType: 'issue', targetId: row.id }),
  }
}

/** A merge request with its labels and assignees, as they are in the transaction. */
export async function mergeRequestSnapshot(
  tx: Transaction,
  row: MergeRequestRow,
): Promise<MergeRequestSnapshot> {
  const assignees = await listMergeRequestAssignees(tx, [row.id])
  return {
    row,
    assigneeIds: assignees.map(({ userId }) => userId),
    labels: await listHookLabels(tx, { targetType: 'merge_request', targetId: row.id }),
  }
}

/** A note with its noteable. */
export async function noteSource(tx: Transaction, note: NoteRow): Promise<NoteSource> {
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
