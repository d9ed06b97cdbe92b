import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { memberProjects, type ViewerKind } from '../../directory/members/visibility.ts'
import { type FeatureSwitch, readableFeature } from '../../directory/projects/feature-visibility.ts'
import type { Param } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'

type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, 'projects'>()

/**
 * The SQL equivalent of `read_milestones`, over `projects` that the caller can see: issues or merge
 * requests must be enabled.
 */
export function readableMilestoneProjects(kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  const requests = eb.and([
    isEnabled('repositoryAccessLevel', kind, $),
    isEnabled('mergeRequestsAccessLevel', kind, $),
  ])
  const issues = readableFeature(kind, $, { switches: ['issuesAccessLevel'], level: 10 })
  return eb.or([issues, requests])
}

/**
 * Whether a repository feature is enabled for the caller, whether or not they may read its items.
 */
function isEnabled(name: FeatureSwitch, kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  if (kind === 'admin') return eb(`projects.${name}`, '<>', 'disabled')
  return eb.or([
    eb(`projects.${name}`, '=', 'enabled'),
    eb.and([eb(`projects.${name}`, '<>', 'disabled'), memberProjects(20, $, 'projects', 'scan')]),
  ])
}
