import { addToOpenIssues, countsAsOpen, type Row, type Transaction } from '@stithy/store'

type Counted = Pick<Row<'issues'>, 'state' | 'confidential'>

/**
 * Updates the `open_issues_count` of a project. It counts open issues that are not confidential,
 * since everyone who can see the project's issues sees it. `delta` is 1, -1 or 0; see
 * `openIssueDelta`.
 */
export async function countOpenIssue(
  tx: Transaction,
  projectId: number,
  delta: number,
): Promise<void> {
  await addToOpenIssues(tx, { projectId, delta })
}

/** The effect of a change on the count; undefined for no issue before or after it. */
export function openIssueDelta(before: Counted | undefined, after: Counted | undefined): number {
  const count = (issue: Counted | undefined) => (issue !== undefined && countsAsOpen(issue) ? 1 : 0)
  return count(after) - count(before)
}
