import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { ViewerArgs } from '../memberships.ts'
import type { Param } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { memberProjects, type ViewerKind, visibleProjects } from '../visibility.ts'

type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, 'events' | 'projects'>()

/**
 * Which events a caller may see, over `events` with their `projects` joined: those of projects that
 * they can read, pushes only where they can read the code, and their own outside projects.
 */
export function visibleEvents(kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  const outside = eb.and([
    eb('events.projectId', 'is', null),
    kind === 'admin' ? sql<SqlBool>`1 = 1` : eb('events.authorId', '=', $('userId')),
  ])
  const inside = eb.and([
    visibleProjects(kind, $),
    eb.or([eb('events.action', '<>', 'pushed'), readableCode(kind, $)]),
  ])
  return eb.or([outside, inside])
}

/** The SQL twin of `read_code` (catalogue: permissions, Code and rule 5). */
function readableCode(kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  const available = eb('projects.repositoryAccessLevel', '<>', 'disabled')
  if (kind === 'admin') return available
  const open = eb.and([
    eb('projects.repositoryAccessLevel', '=', 'enabled'),
    kind === 'insider'
      ? eb('projects.visibility', 'in', ['public', 'internal'])
      : eb('projects.visibility', '=', 'public'),
  ])
  if (kind === 'anonymous') return open
  return eb.or([open, eb.and([available, memberProjects(20, $)])])
}
