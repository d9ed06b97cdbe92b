import { closedRemark, reopenedRemark } from '@stithy/core'
import type { Queries } from '../queries.ts'
import { inList, matches, startingWith } from '../sql.ts'
import { viewerKind } from '../visibility.ts'
import { contentArgs, issuesOf, type MilestoneContents } from './milestone-contents.ts'

/** An issue as a burndown needs it; instants in milliseconds. */
export interface BurndownIssue {
  id: number
  weight: number | null
  createdAt: number
  closedAt: number | null
}

/** The issues of a milestone that the caller may see, made before an instant (milliseconds), the oldest first. */
export function listBurndownIssues(
  q: Queries,
  contents: MilestoneContents,
  before: number,
): Promise<BurndownIssue[]> {
  const kind = viewerKind(contents.caller)
  const args = { ...contentArgs(contents), before }
  return q.all(`milestones.burndown|${kind}`, args, (db, $) =>
    issuesOf(db, $, kind)
      .where('issues.createdAt', '<', $('before'))
      .orderBy('issues.createdAt')
      .orderBy('issues.id')
      .select(['issues.id', 'issues.weight', 'issues.createdAt', 'issues.closedAt']),
  )
}

/** That an issue was closed or reopened. */
export interface BurndownTurn {
  issueId: number
  action: 'closed' | 'reopened'
  createdAt: number
}

/** When issues were closed and reopened before an instant, as the program remarked it, in its order. */
export async function listBurndownTurns(
  q: Queries,
  issueIds: readonly number[],
  before: number,
): Promise<BurndownTurn[]> {
  const args = { issueIds, before, ...turnTexts }
  const rows = await q.all('milestones.burndown-turns', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('notes.noteableType', '=', 'issue')
      .where(inList('notes.noteableId', $('issueIds')))
      .where('notes.system', '=', 1)
      .where('notes.createdAt', '<', $('before'))
      .where((eb) =>
        eb.or([
          eb('notes.body', '=', $('closed')),
          eb('notes.body', '=', $('reopened')),
          matches('notes.body', $('closedVia')),
        ]),
      )
      .orderBy('notes.createdAt')
      .orderBy('notes.id')
      .select(['notes.noteableId', 'notes.body', 'notes.createdAt']),
  )
  return rows.flatMap(({ noteableId, body, createdAt }): BurndownTurn[] => {
    const action = body === reopenedRemark ? 'reopened' : 'closed'
    return noteableId === null ? [] : [{ issueId: noteableId, action, createdAt }]
  })
}

const turnTexts = {
  closed: closedRemark(),
  closedVia: startingWith(`${closedRemark()} via `),
  reopened: reopenedRemark,
}
