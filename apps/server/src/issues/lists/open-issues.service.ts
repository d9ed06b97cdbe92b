import { addToOpenIssues, countsAsOpen, type Row, type Transaction } from '@stithy/store'

type Counted = Pick<Row<'issues'>, 'state' | 'confidential'>

/**
 * Keeps the `open_issues_count` of a project, which counts the open issues that are not confidential: it
 * is shown to everybody who sees the project's issues. `delta` is 1, -1 or 0; see `openIssueDelta`.
 */
export async function countOpenIssue(
  tx: Transaction,
  projectId: number,
  delta: number,
): Promise<void> {
  await addToOpenIssues(tx, { projectId, delta })
}

/** What a change of an issue does to the count; undefined before its creation and after its removal. */
export function openIssueDelta(before: Counted | undefined, after: Counted | undefined): number {
  const count = (issue: Counted | undefined) => (issue !== undefined && countsAsOpen(issue) ? 1 : 0)
  return count(after) - count(before)
}
