import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import {
  memberProjects,
  type ViewerKind,
  visibleProjects,
} from '../../directory/members/visibility.ts'
import { readableFeature } from '../../directory/projects/feature-visibility.ts'
import type { Param } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'

type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, 'snippets' | 'projects'>()

/** The SQL equivalent of `read_snippets`, over `projects`. */
function readableSnippetProjects(kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  const switches = { switches: ['snippetsAccessLevel'], level: 10 } as const
  return eb.and([visibleProjects(kind, $), readableFeature(kind, $, switches)])
}

/** The SQL equivalent of `read_snippet`, over `snippets` left-joined with their `projects`. */
export function visibleSnippets(kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  const isPersonal = eb('snippets.projectId', 'is', null)
  if (kind === 'admin') return eb.or([isPersonal, readableSnippetProjects(kind, $)])
  const open =
    kind === 'internal'
      ? eb('snippets.visibility', 'in', ['public', 'internal'])
      : eb('snippets.visibility', '=', 'public')
  const own = kind === 'anonymous' ? [] : [eb('snippets.authorId', '=', $('userId'))]
  const member = kind === 'anonymous' ? [] : [memberProjects(10, $, 'projects', 'scan')]
  return eb.or([
    eb.and([isPersonal, eb.or([open, ...own])]),
    eb.and([readableSnippetProjects(kind, $), eb.or([open, ...own, ...member])]),
  ])
}
