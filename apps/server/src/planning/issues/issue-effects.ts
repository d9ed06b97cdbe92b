import { stampOf, type Transaction, touchStamp } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { countOpenIssue, openIssueDelta } from './lists/open-issues.service.ts'

type IssueChange = Change<
  'issue.created' | 'issue.updated' | 'issue.closed' | 'issue.reopened' | 'issue.deleted'
>

/** Updates `open_issues_count` of the project. */
export async function countNewIssue(
  tx: Transaction,
  { item: { row } }: Change<'issue.created'>,
): Promise<void> {
  await countOpenIssue(tx, row.projectId, openIssueDelta(undefined, row))
}

export async function countChangedIssue(
  tx: Transaction,
  { before, item: { row } }: Change<'issue.updated' | 'issue.closed' | 'issue.reopened'>,
): Promise<void> {
  await countOpenIssue(tx, row.projectId, openIssueDelta(before.row, row))
}

export async function countDeletedIssue(
  tx: Transaction,
  { item: { row } }: Change<'issue.deleted'>,
): Promise<void> {
  await countOpenIssue(tx, row.projectId, openIssueDelta(row, undefined))
}

/** Invalidates the cached totals of issue lists. */
export async function touchIssueLists(
  tx: Transaction,
  { item: { row } }: IssueChange,
): Promise<void> {
  touchStamp(tx, stampOf('issues', row.projectId))
}
