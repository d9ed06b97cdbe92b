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
  type Queries,
} from '@stithy/store'
import type { IssueSnapshot, MergeRequestSnapshot, NoteSource } from './webhook-events.ts'

/** An issue with its labels and assignees, as they are in the transaction. */
export async function issueSnapshot(q: Queries, row: IssueRow): Promise<IssueSnapshot> {
  const assignees = await listIssueAssignees(q, [row.id])
  return {
    row,
    assigneeIds: assignees.map(({ userId }) => userId),
    labels: await listHookLabels(q, { targetType: 'issue', targetId: row.id }),
  }
}

/** A merge request with its labels and assignees, as they are in the transaction. */
export async function mergeRequestSnapshot(
  q: Queries,
  row: MergeRequestRow,
): Promise<MergeRequestSnapshot> {
  const assignees = await listMergeRequestAssignees(q, [row.id])
  return {
    row,
    assigneeIds: assignees.map(({ userId }) => userId),
    labels: await listHookLabels(q, { targetType: 'merge_request', targetId: row.id }),
  }
}

/** A note with its noteable. */
export async function noteSource(q: Queries, note: NoteRow): Promise<NoteSource> {
  const { noteableType, noteableId } = note
  if (noteableId === null) return { note }
  if (noteableType === 'issue') {
    const [row] = await findIssuesById(q, [noteableId])
    return row === undefined ? { note } : { note, issue: await issueSnapshot(q, row) }
  }
  if (noteableType === 'merge_request') {
    const row = await findMergeRequestById(q, noteableId)
    if (row === undefined) return { note }
    const assignees = await listMergeRequestAssignees(q, [noteableId])
    return { note, mergeRequest: { row, assigneeIds: assignees.map(({ userId }) => userId) } }
  }
  const snippet = noteableType === 'snippet' ? await findHookSnippet(q, noteableId) : undefined
  return snippet === undefined ? { note } : { note, snippet }
}
