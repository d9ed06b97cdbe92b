import type { ItemRow } from './item-shape.ts'
import {
  commonLists,
  type ItemSql,
  type ItemTable,
  listsOf,
  memberOf,
  own,
  wideListsOf,
} from './item-sql.ts'

/** A row of the queries below. */
export interface IssueRow extends ItemRow {
  confidential: 0 | 1
  dueDate: string | null
  weight: number | null
  mergeRequestsCount: number
  labelCount: number
  assigneeCount: number
}

const columns = `id projectId iid authorId title description state confidential discussionLocked
  milestoneId dueDate weight timeEstimate totalTimeSpent mergeRequestsCount userNotesCount upvotes
  downvotes taskCount taskDoneCount labelCount assigneeCount closedById closedAt createdAt updatedAt`

const links = { assignees: 'issueAssignees', assigned: 'issueId' } as const

const visible = `p."deletedAt" is null and p.archived = 0 and p."issuesAccessLevel" <> 'disabled'
  and (p."issuesAccessLevel" = 'enabled' and p.visibility in ('public', 'internal')
    or ${memberOf(1)})
  and (i.confidential = 0 or ${own(links)} or ${memberOf(20)})`

export const issueTable: ItemTable = {
  items: 'issues',
  type: 'issue',
  ...links,
  texts: 'issueTexts',
  columns: columns.split(/\s+/),
  visible,
}

const { same } = listsOf(issueTable)

export const issueSql: ItemSql = {
  projectLists: {
    ...commonLists(issueTable),
    weight: same('and +i.weight = +:value'),
    'weight=None': same('and +i.weight is null'),
    'weight=Any': same('and +i.weight is not null'),
    'confidential=true': same('and i.confidential = 1'),
    'confidential=false': same('and +i.confidential = 0'),
  },
  wideLists: wideListsOf(issueTable),
}
