import { viewerKind } from '../../directory/members/visibility.ts'
import { inBackground, type Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { contentArgs, issuesOf, type MilestoneContents } from './milestone-issues.ts'

/** An issue as a burndown needs it; timestamps in milliseconds. */
export interface BurndownIssue {
  id: number
  weight: number | null
  createdAt: number
  closedAt: number | null
}

/**
 * Lists the issues of a milestone that the caller may see, created before a timestamp
 * (milliseconds), oldest first.
 */
export function listBurndownIssues(
  q: Queries,
  contents: MilestoneContents,
  before: number,
): Promise<BurndownIssue[]> {
  const kind = viewerKind(contents.caller)
  const args = { ...contentArgs(contents), before }
  return inBackground(q).all(`milestones.burndown|${kind}`, args, (db, $) =>
    issuesOf(db, $, kind)
      .where('issues.createdAt', '<', $('before'))
      .orderBy('issues.createdAt')
      .orderBy('issues.id')
      .select(['issues.id', 'issues.weight', 'issues.createdAt', 'issues.closedAt']),
  )
}

/** An issue was closed or reopened. */
export interface BurndownStateChange {
  issueId: number
  action: 'closed' | 'reopened'
  createdAt: number
}

/**
 * Lists when issues were closed and reopened before a timestamp, as recorded by system notes, in
 * order.
 */
export async function listBurndownStateChanges(
  q: Queries,
  issueIds: readonly number[],
  before: number,
): Promise<BurndownStateChange[]> {
  const rows = await inBackground(q).all(
    'milestones.burndown-turns',
    { issueIds, before },
    (db, $) =>
      db
        .selectFrom('notes')
        .where('notes.noteableType', '=', 'issue')
        .where(inList('notes.noteableId', $('issueIds')))
        .where('notes.action', 'in', ['closed', 'reopened'])
        .where('notes.createdAt', '<', $('before'))
        .orderBy('notes.createdAt')
        .orderBy('notes.id')
        .select(['notes.noteableId', 'notes.action', 'notes.createdAt'])
        .$narrowType<{ noteableId: number; action: BurndownStateChange['action'] }>(),
  )
  return rows.map(({ noteableId, ...change }) => ({ issueId: noteableId, ...change }))
}
