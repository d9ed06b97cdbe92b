import { foundIssueShape, issueShape } from './issue-shape.ts'
import { type IssueRow, issueSql, issueTable } from './issue-sql.ts'
import type { ItemKind } from './items.ts'

/** Lists of issues. */
export const issueKind: ItemKind<IssueRow> = {
  path: 'issues',
  table: issueTable,
  sql: issueSql,
  shape: issueShape,
  foundShape: foundIssueShape,
}
