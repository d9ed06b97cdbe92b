import { viewerKind } from '../../directory/members/visibility.ts'
import { inBackground, type Queries } from '../../platform/queries/queries.ts'
import { contentArgs, issuesOf, type MilestoneContents } from './milestone-issues.ts'

/**
 * An issue as a burndown needs it, with one of its changes of state, if it has any; timestamps in
 * milliseconds.
 */
export interface BurndownRow {
  id: number
  weight: number | null
  createdAt: number
  closedAt: number | null
  action: 'closed' | 'reopened' | null
  changedAt: number | null
}

/**
 * Lists the issues of a milestone that the caller may see, created before a timestamp (milliseconds),
 * with each time that they were closed and reopened before it, as recorded by system notes; all of it
 * oldest first. One query.
 */
export function listBurndown(
  q: Queries,
  contents: MilestoneContents,
  before: number,
): Promise<BurndownRow[]> {
  const kind = viewerKind(contents.caller)
  const args = { ...contentArgs(contents), before }
  return inBackground(q).all(`milestones.burndown|${kind}`, args, (db, $) =>
    issuesOf(db, $, kind)
      .leftJoin('notes', (join) =>
        join
          .on('notes.noteableType', '=', 'issue')
          .onRef('notes.noteableId', '=', 'issues.id')
          .on('notes.action', 'in', ['closed', 'reopened'])
          .on('notes.createdAt', '<', $('before')),
      )
      .where('issues.createdAt', '<', $('before'))
      .orderBy('issues.createdAt')
      .orderBy('issues.id')
      .orderBy('notes.createdAt')
      .orderBy('notes.id')
      .select(['issues.id', 'issues.weight', 'issues.createdAt', 'issues.closedAt'])
      .select(['notes.action', 'notes.createdAt as changedAt'])
      .$narrowType<{ action: BurndownRow['action'] }>(),
  )
}
