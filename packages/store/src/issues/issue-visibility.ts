import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { ViewerArgs } from '../memberships.ts'
import type { Param } from '../queries.ts'
import type { Flag } from '../schema/flag.ts'
import type { Schema } from '../schema/schema.ts'
import { unindexed } from '../sql.ts'
import { memberProjects, type ViewerKind } from '../visibility.ts'

type Predicate = Expression<SqlBool>
type Viewer = Param<ViewerArgs>
const eb = expressionBuilder<Schema, never>()

/**
 * The SQL twin of `read_issue` (catalogue: issues, 5; permissions, rule 5), for a list over `issues` with
 * their `projects`: issues of projects where the caller sees issues and, of the confidential ones, what
 * they wrote, what is assigned to them, and all in projects where they are a Reporter or more.
 */
export function visibleIssues(kind: ViewerKind, $: Viewer): Predicate {
  const inProject = visibleIssueProjects(kind, $)
  if (kind === 'admin') return inProject
  if (kind === 'anonymous')
    return eb.and([inProject, eb(unindexed<Flag>('issues.confidential'), '=', 0)])
  const insider = memberProjects(20, $, 'projects', 'scan')
  return eb.and([inProject, eb.or([openOrOwnIssue($), insider])])
}

/** The SQL twin of `read_issues`: projects whose issues, but for confidential ones, the caller sees. */
export function visibleIssueProjects(kind: ViewerKind, $: Viewer): Predicate {
  if (kind === 'admin') return availableIssueProjects()
  const open = openIssueProjects(kind)
  if (kind === 'anonymous') return open
  const member = memberProjects(1, $, 'projects', 'scan')
  return eb.and([availableIssueProjects(), eb.or([open, member])])
}

/** Projects that have issues at all. */
export function availableIssueProjects(): Predicate {
  return sql`projects."deletedAt" is null and projects."issuesAccessLevel" <> 'disabled'`
}

/** Projects whose issues everybody of this kind sees, without a membership. */
export function openIssueProjects(kind: ViewerKind): Predicate {
  if (kind === 'admin') return availableIssueProjects()
  const seen = sql.raw(kind === 'insider' ? `'public', 'internal'` : `'public'`)
  return sql`projects."deletedAt" is null and projects."issuesAccessLevel" = 'enabled'
    and projects."visibility" in (${seen})`
}

/** Where the caller sees the project's issues: those that are not confidential, and their own. */
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
