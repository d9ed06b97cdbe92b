import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { memberProjects, type ViewerKind } from '../../directory/members/visibility.ts'
import type { Param } from '../../platform/queries/queries.ts'
import { unindexed } from '../../platform/queries/sql.ts'
import type { Flag } from '../../platform/schema/flag.ts'
import type { Schema } from '../../platform/schema/schema.ts'

type Predicate = Expression<SqlBool>
type Viewer = Param<ViewerArgs>
const eb = expressionBuilder<Schema, never>()

/**
 * The SQL equivalent of `read_issue`, for a list over `issues` with their `projects`: issues of
 * projects whose issues the caller can see and, of the confidential ones, those that they wrote,
 * those assigned to them, and all in projects where they are at least a Reporter.
 */
export function visibleIssues(kind: ViewerKind, $: Viewer): Predicate {
  const inProject = visibleIssueProjects(kind, $)
  if (kind === 'admin') return inProject
  if (kind === 'anonymous')
    return eb.and([inProject, eb(unindexed<Flag>('issues.confidential'), '=', 0)])
  const internal = memberProjects(20, $, 'projects', 'scan')
  return eb.and([inProject, eb.or([openOrOwnIssue($), internal])])
}

/**
 * The SQL equivalent of `read_issues`: projects whose issues, except confidential ones, the caller
 * can see.
 */
export function visibleIssueProjects(kind: ViewerKind, $: Viewer): Predicate {
  if (kind === 'admin') return availableIssueProjects()
  const open = openIssueProjects(kind)
  if (kind === 'anonymous') return open
  const member = memberProjects(1, $, 'projects', 'scan')
  return eb.and([availableIssueProjects(), eb.or([open, member])])
}

/** Projects with issues enabled. */
export function availableIssueProjects(): Predicate {
  return sql`projects."deletedAt" is null and projects."issuesAccessLevel" <> 'disabled'`
}

/** Projects whose issues all callers of this kind can see without a membership. */
export function openIssueProjects(kind: ViewerKind): Predicate {
  if (kind === 'admin') return availableIssueProjects()
  const visibilities = sql.raw(kind === 'internal' ? `'public', 'internal'` : `'public'`)
  return sql`projects."deletedAt" is null and projects."issuesAccessLevel" = 'enabled'
    and projects."visibility" in (${visibilities})`
}

/** Of the projects whose issues the caller can see, those whose confidential ones they can, too. */
export function fullIssueProjects(kind: ViewerKind, $: Viewer): Predicate {
  if (kind === 'admin') return sql`1 = 1`
  if (kind === 'anonymous') return sql`1 = 0`
  return memberProjects(20, $, 'projects', 'scan')
}

/**
 * Where the caller can see the project's issues: issues that are not confidential, and their own.
 */
export function openOrOwnIssue($: Viewer): Predicate {
  return eb.or([eb(unindexed<Flag>('issues.confidential'), '=', 0), ownIssue($)])
}

/** Whether the user wrote the issue or is assigned to it. */
export function ownIssue($: Viewer): Predicate {
  const assigned = eb
    .selectFrom('issueAssignees as own')
    .where('own.issueId', '=', sql.ref<number>('issues.id'))
    .where('own.userId', '=', $('userId'))
    .select('own.userId')
  return eb.or([eb(unindexed<number>('issues.authorId'), '=', $('userId')), eb.exists(assigned)])
}
