import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { type FeatureSwitch, readableFeature } from '../feature-visibility.ts'
import type { ViewerArgs } from '../memberships.ts'
import type { Param } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { memberProjects, type ViewerKind } from '../visibility.ts'

type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, 'projects'>()

/**
 * The SQL twin of `read_milestones`, over `projects` that the caller can see: while there are issues or merge
 * requests for them.
 */
export function readableMilestoneProjects(kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  const requests = eb.and([
    isThere('repositoryAccessLevel', kind, $),
    isThere('mergeRequestsAccessLevel', kind, $),
  ])
  const issues = readableFeature(kind, $, { switches: ['issuesAccessLevel'], level: 10 })
  return eb.or([issues, requests])
}

/** Whether a feature of the repository is on for the caller, whoever may read what is in it. */
function isThere(name: FeatureSwitch, kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  if (kind === 'admin') return eb(`projects.${name}`, '<>', 'disabled')
  return eb.or([
    eb(`projects.${name}`, '=', 'enabled'),
    eb.and([eb(`projects.${name}`, '<>', 'disabled'), memberProjects(20, $, 'projects', 'scan')]),
  ])
}
