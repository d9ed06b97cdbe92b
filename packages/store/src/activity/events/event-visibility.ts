import {
  type Expression,
  expressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { type ViewerKind, visibleProjects } from '../../directory/members/visibility.ts'
import { visibleIssues } from '../../planning/issues/issue-visibility.ts'
import { visibleCode, visibleMergeRequests } from '../../planning/items/merge-request-visibility.ts'
import { readableMilestoneProjects } from '../../planning/milestones/milestone-visibility.ts'
import { visibleSnippets } from '../../planning/snippets/snippet-visibility.ts'
import type { Param } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import {
  eventItemId,
  isAboutCode,
  isAboutItem,
  isAboutMilestone,
  isAboutProject,
} from './event-subject.ts'

type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, 'events' | 'projects'>()

/**
 * The events that a caller may see, over `events` joined with their `projects`: events of projects
 * that they can read, events about code, milestones, issues, merge requests or snippets only where
 * they can read those, and their own events outside projects. Events about anything else are never
 * shown.
 */
export function visibleEvents(kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  const outside = eb.and([
    eb('events.projectId', 'is', null),
    kind === 'admin' ? sql<SqlBool>`1 = 1` : eb('events.authorId', '=', $('userId')),
  ])
  return eb.or([outside, eb.and([visibleProjects(kind, $), visibleSubjects(kind, $)])])
}

/**
 * How PostgreSQL looks at the items that events are about: `hash` lets it read all of them once, for a
 * list that reads many events; `probe` makes it look up each, for what is done for many projects apart. There
 * it would read all of them for each project: 9 s for 2,000 projects.
 */
type ItemAccess = 'hash' | 'probe'

/** The events of a project that a caller may see, who may see the project; for `visibleEvents`. */
export function visibleSubjects(
  kind: ViewerKind,
  $: Param<ViewerArgs>,
  access: ItemAccess = 'hash',
): Predicate {
  return eb.or([
    isAboutProject(),
    eb.and([isAboutCode(), visibleCode(kind, $)]),
    eb.and([isAboutMilestone(), readableMilestoneProjects(kind, $)]),
    eb.and([isAboutItem('issue'), exists(issueOf(kind, $), access)]),
    eb.and([isAboutItem('merge_request'), exists(mergeRequestOf(kind, $), access)]),
    eb.and([isAboutItem('snippet'), exists(snippetOf(kind, $), access)]),
  ])
}

/** An `offset` keeps PostgreSQL from making a hash table of the query; SQLite never does. */
function exists<T>(
  query: SelectQueryBuilder<Schema, 'events' | 'projects' | keyof Schema, T>,
  access: ItemAccess,
): Predicate {
  return eb.exists(access === 'probe' ? query.limit(sql.lit(1)).offset(sql.lit(0)) : query)
}

function issueOf(kind: ViewerKind, $: Param<ViewerArgs>) {
  return eb
    .selectFrom('issues')
    .where('issues.id', '=', eventItemId())
    .where(visibleIssues(kind, $))
    .select('issues.id')
}

function mergeRequestOf(kind: ViewerKind, $: Param<ViewerArgs>) {
  return eb
    .selectFrom('mergeRequests')
    .where('mergeRequests.id', '=', eventItemId())
    .where(visibleMergeRequests(kind, $))
    .select('mergeRequests.id')
}

function snippetOf(kind: ViewerKind, $: Param<ViewerArgs>) {
  return eb
    .selectFrom('snippets')
    .where('snippets.id', '=', eventItemId())
    .where(visibleSnippets(kind, $))
    .select('snippets.id')
}
