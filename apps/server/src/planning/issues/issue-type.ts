import { notFound } from '@stithy/core'
import {
  findIssuesById,
  type IssueRow,
  listIssueAssignees,
  lockIssue,
  setIssueAssignees,
  type Transaction,
  toFlag,
  updateIssueRow,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import {
  descriptionField,
  type ItemField,
  lockField,
  milestoneField,
  titleField,
} from '../items/changes/item-field.ts'
import { editorColumns, type WorkItemType, withColumns } from '../items/changes/work-item-type.ts'
import type { IssueItem } from '../items/item.ts'
import { close, reopen } from './issue-states.ts'

const dueDateField: ItemField<IssueRow> = {
  setting: 'dueDate',
  planning: true,
  columns: ({ change: { dueDate } }) => ({ dueDate }),
  notes: ({ dueDate: from }, { dueDate: to }) =>
    from === to ? [] : [{ action: 'due_date_changed', to }],
}

const weightField: ItemField<IssueRow> = {
  setting: 'weight',
  planning: true,
  columns: ({ change: { weight } }) => ({ weight }),
  notes: ({ weight: from }, { weight: to }) =>
    from === to ? [] : [{ action: 'weight_changed', to }],
}

const confidentialField: ItemField<IssueRow> = {
  setting: 'confidential',
  columns: ({ change: { confidential } }) =>
    confidential === undefined ? undefined : { confidential: toFlag(confidential) },
  notes: (before, { confidential }) =>
    before.confidential === confidential
      ? []
      : [{ action: 'confidentiality_changed', confidential: confidential === 1 }],
}

/** How issues are updated. */
export const issueType: WorkItemType<IssueItem, undefined> = {
  planningAbility: 'admin_issues',
  fields: [
    titleField,
    descriptionField,
    milestoneField,
    dueDateField,
    weightField,
    confidentialField,
    lockField,
  ],
  planMore: async () => undefined,
  // Whether the event takes effect is decided under the lock.
  possibleEvent: async (_app, _item, { stateEvent }) => stateEvent,
  lock: lockItem,
  editor: editorColumns,
  save: (tx, { row }, columns) => updateIssueRow(tx, row.id, columns),
  assignees: {
    list: async (q, { row }) => (await listIssueAssignees(q, [row.id])).map(({ userId }) => userId),
    set: (tx, { row }, userIds) => setIssueAssignees(tx, row, userIds),
  },
  close,
  reopen,
  recordUpdate: (tx, update) => recordChange(tx, { kind: 'issue.updated', ...update }),
  reload,
}

/** Reads and locks the issue until the transaction ends. @throws DomainError `not_found` */
export async function lockItem(tx: Transaction, item: IssueItem): Promise<IssueItem> {
  const row = await lockIssue(tx, item.row.id)
  if (row === undefined) throw notFound('Issue')
  return withColumns(item, row)
}

/** Reads the issue again. Two queries. @throws DomainError `not_found` if it was deleted. */
export async function reload(app: App, item: IssueItem): Promise<IssueItem> {
  const [row] = await findIssuesById(app.db, [item.row.id])
  if (row === undefined) throw notFound('Issue')
  const assignees = row.assigneeCount === 0 ? [] : await listIssueAssignees(app.db, [row.id])
  return { ...item, row, assigneeIds: assignees.map(({ userId }) => userId) }
}
