import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { ViewerArgs } from '../memberships.ts'
import type { Param } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { memberProjects, type ViewerKind, visibleProjects } from '../visibility.ts'

type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, 'events' | 'projects'>()

/**
 * Which events a caller may see, over `events` with their `projects` joined: those of projects that
 * they can read, what is about code or merge requests only where they can read those, and their own
 * outside projects.
 */
export function visibleEvents(kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  const outside = eb.and([
    eb('events.projectId', 'is', null),
    kind === 'admin' ? sql<SqlBool>`1 = 1` : eb('events.authorId', '=', $('userId')),
  ])
  const inside = eb.and([
    visibleProjects(kind, $),
    eb.or([notAboutCode(), readable(kind, $, ['repositoryAccessLevel'])]),
    eb.or([notAboutMergeRequests(), readable(kind, $, mergeRequestSwitches)]),
  ])
  return eb.or([outside, inside])
}

/** Leaves out pushes and comments on commits. */
export function notAboutCode(): Predicate {
  return eb.and([
    eb('events.action', '<>', 'pushed'),
    eb.or([eb('events.noteableType', 'is', null), eb('events.noteableType', '<>', 'commit')]),
  ])
}

/** Leaves out merge requests, and comments on them. */
export function notAboutMergeRequests(): Predicate {
  return eb.and([
    eb.or([eb('events.targetType', 'is', null), eb('events.targetType', '<>', 'merge_request')]),
    eb.or([
      eb('events.noteableType', 'is', null),
      eb('events.noteableType', '<>', 'merge_request'),
    ]),
  ])
}

type Switch = 'repositoryAccessLevel' | 'mergeRequestsAccessLevel'

/** Merge requests go with the repository. */
const mergeRequestSwitches: readonly Switch[] = [
  'repositoryAccessLevel',
  'mergeRequestsAccessLevel',
]

/** The SQL twin of `read_code` and `read_merge_requests` (catalogue: permissions, rule 5). */
function readable(kind: ViewerKind, $: Param<ViewerArgs>, switches: readonly Switch[]): Predicate {
  const available = eb.and(switches.map((name) => eb(`projects.${name}`, '<>', 'disabled')))
  if (kind === 'admin') return available
  const open = eb.and([
    ...switches.map((name) => eb(`projects.${name}`, '=', 'enabled')),
    kind === 'insider'
      ? eb('projects.visibility', 'in', ['public', 'internal'])
      : eb('projects.visibility', '=', 'public'),
  ])
  if (kind === 'anonymous') return open
  return eb.or([open, eb.and([available, memberProjects(20, $)])])
}
