import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { visibleIssues } from '../issues/issue-visibility.ts'
import type { ViewerArgs } from '../memberships.ts'
import { visibleCode, visibleMergeRequests } from '../merge-requests/merge-request-visibility.ts'
import type { Param } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { visibleSnippets } from '../snippets/snippet-visibility.ts'
import { type ViewerKind, visibleProjects } from '../visibility.ts'
import {
  eventItemId,
  isAboutCode,
  isAboutItem,
  isAboutMilestone,
  isAboutProject,
} from './event-subject.ts'
import { readableMilestoneProjects } from './milestone-visibility.ts'

type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, 'events' | 'projects'>()

/**
 * Which events a caller may see, over `events` with their `projects` joined (catalogue: planning, 9): those
 * of projects that they can read, what is about code, milestones, issues, merge requests or snippets only
 * where they can read those, and their own outside projects. What is about anything else is never shown.
 */
export function visibleEvents(kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  const outside = eb.and([
    eb('events.projectId', 'is', null),
    kind === 'admin' ? sql<SqlBool>`1 = 1` : eb('events.authorId', '=', $('userId')),
  ])
  const inside = eb.and([
    visibleProjects(kind, $),
    eb.or([
      isAboutProject(),
      eb.and([isAboutCode(), visibleCode(kind, $)]),
      eb.and([isAboutMilestone(), readableMilestoneProjects(kind, $)]),
      eb.and([isAboutItem('issue'), eb.exists(issueOf(kind, $))]),
      eb.and([isAboutItem('merge_request'), eb.exists(mergeRequestOf(kind, $))]),
      eb.and([isAboutItem('snippet'), eb.exists(snippetOf(kind, $))]),
    ]),
  ])
  return eb.or([outside, inside])
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
