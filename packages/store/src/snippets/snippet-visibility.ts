import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { readableFeature } from '../feature-visibility.ts'
import type { ViewerArgs } from '../memberships.ts'
import type { Param } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { memberProjects, type ViewerKind, visibleProjects } from '../visibility.ts'

type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, 'snippets' | 'projects'>()

/** The SQL twin of `read_snippets`, over `projects`. */
function readableSnippetProjects(kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  const switches = { switches: ['snippetsAccessLevel'], level: 10 } as const
  return eb.and([visibleProjects(kind, $), readableFeature(kind, $, switches)])
}

/**
 * The SQL twin of `read_snippet`, over `snippets` with their `projects`, where they have one, joined
 * (catalogue: planning, 6).
 */
export function visibleSnippets(kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  const isPersonal = eb('snippets.projectId', 'is', null)
  if (kind === 'admin') return eb.or([isPersonal, readableSnippetProjects(kind, $)])
  const open =
    kind === 'insider'
      ? eb('snippets.visibility', 'in', ['public', 'internal'])
      : eb('snippets.visibility', '=', 'public')
  const own = kind === 'anonymous' ? [] : [eb('snippets.authorId', '=', $('userId'))]
  const member = kind === 'anonymous' ? [] : [memberProjects(10, $, 'projects', 'scan')]
  return eb.or([
    eb.and([isPersonal, eb.or([open, ...own])]),
    eb.and([readableSnippetProjects(kind, $), eb.or([open, ...own, ...member])]),
  ])
}
