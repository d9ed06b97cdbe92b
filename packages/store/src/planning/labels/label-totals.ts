import type { CallerFacts } from '@stithy/core'
import { expressionBuilder, type Kysely, sql } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import {
  memberProjects,
  type ViewerKind,
  viewerArgs,
  viewerKind,
} from '../../directory/members/visibility.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { visibleIssueProjects } from '../issues/issue-visibility.ts'
import { visibleMergeRequestProjects } from '../items/merge-request-visibility.ts'

/** The number of items with a label that the caller may see. */
export interface LabelTotals {
  openIssues: number
  closedIssues: number
  openMergeRequests: number
}

interface Args extends ViewerArgs {
  labelIds: readonly number[]
}

interface Count {
  labelId: number
  state: string
  total: number
}

/**
 * Counts the items of each label, by label id; labels without items are left out. Confidential
 * issues are counted where the caller can see all of a project's, and otherwise their own. At most
 * three queries over stored totals: the cost depends on the number of projects that have the
 * labels, not on that of the issues.
 */
export async function countLabelledItems(
  q: Queries,
  caller: CallerFacts,
  today: string,
  labelIds: readonly number[],
): Promise<ReadonlyMap<number, LabelTotals>> {
  const byLabel = new Map<number, LabelTotals>()
  if (labelIds.length === 0) return byLabel
  const kind = viewerKind(caller)
  const args = { ...viewerArgs(caller, today), labelIds }
  const add = (field: keyof LabelTotals, labelId: number, total: number) => {
    const totals = byLabel.get(labelId) ?? { openIssues: 0, closedIssues: 0, openMergeRequests: 0 }
    totals[field] += Number(total)
    byLabel.set(labelId, totals)
  }
  const issues = await countIssues(q, kind, args)
  const own = kind === 'admin' || kind === 'anonymous' ? [] : await countOwnIssues(q, kind, args)
  for (const { labelId, state, total } of [...issues, ...own]) {
    add(state === 'opened' ? 'openIssues' : 'closedIssues', labelId, total)
  }
  for (const { labelId, total } of await countMergeRequests(q, kind, args)) {
    add('openMergeRequests', labelId, total)
  }
  return byLabel
}

/** From the labels to the projects, which keeps SQLite from starting with all projects. */
function totalsOf(db: Kysely<Schema>, type: 'issue' | 'merge_request', $: Param<Args>) {
  return db
    .selectFrom('labelTotals')
    .crossJoin('projects')
    .whereRef('projects.id', '=', 'labelTotals.projectId')
    .where(inList('labelTotals.labelId', $('labelIds')))
    .where('labelTotals.targetType', '=', type)
    .groupBy(['labelTotals.labelId', 'labelTotals.state'])
    .select((eb) => [
      'labelTotals.labelId',
      'labelTotals.state',
      sql<number>`cast(${eb.fn.sum('labelTotals.total')} as bigint)`.as('total'),
    ])
}

function countIssues(q: Queries, kind: ViewerKind, args: Args): Promise<Count[]> {
  return q.all(`label-totals.issues|${kind}`, args, (db, $) => {
    const visible = totalsOf(db, 'issue', $).where(visibleIssueProjects(kind, $))
    if (kind === 'admin') return visible
    return visible.where((eb) =>
      kind === 'anonymous'
        ? eb('labelTotals.confidential', '=', 0)
        : eb.or([eb('labelTotals.confidential', '=', 0), seesConfidential($)]),
    )
  })
}

/** Projects whose confidential issues the caller can all see. */
function seesConfidential($: Param<Args>) {
  return memberProjects(20, $, 'projects', 'scan')
}

/** The confidential issues that a caller can see as their author or assignee. */
function countOwnIssues(q: Queries, kind: ViewerKind, args: Args): Promise<Count[]> {
  return q.all(`label-totals.own|${kind}`, args, (db, $) =>
    db
      .selectFrom(ownConfidential($).as('own'))
      .crossJoin('issues')
      .crossJoin('projects')
      .crossJoin('labelLinks')
      .whereRef('issues.id', '=', 'own.id')
      .whereRef('projects.id', '=', 'issues.projectId')
      .whereRef('labelLinks.targetId', '=', 'issues.id')
      .where('labelLinks.targetType', '=', 'issue')
      .where(inList('labelLinks.labelId', $('labelIds')))
      .where(visibleIssueProjects(kind, $))
      .where((eb) => eb.not(seesConfidential($)))
      .groupBy(['labelLinks.labelId', 'issues.state'])
      .select((eb) => ['labelLinks.labelId', 'issues.state', eb.fn.countAll<number>().as('total')]),
  )
}

function ownConfidential($: Param<Args>) {
  const eb = expressionBuilder<Schema, never>()
  const written = eb
    .selectFrom('issues')
    .where('issues.authorId', '=', $('userId'))
    .where('issues.confidential', '=', 1)
    .select('issues.id')
  const assigned = eb
    .selectFrom('issueAssignees')
    .crossJoin('issues')
    .whereRef('issues.id', '=', 'issueAssignees.issueId')
    .where('issueAssignees.userId', '=', $('userId'))
    .where('issues.confidential', '=', 1)
    .select('issues.id')
  return written.union(assigned)
}

function countMergeRequests(q: Queries, kind: ViewerKind, args: Args): Promise<Count[]> {
  return q.all(`label-totals.merge-requests|${kind}`, args, (db, $) =>
    totalsOf(db, 'merge_request', $)
      .where('labelTotals.state', '=', 'opened')
      .where('projects.deletedAt', 'is', null)
      .where(visibleMergeRequestProjects(kind, $)),
  )
}
