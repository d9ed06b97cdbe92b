import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { ViewerArgs } from './memberships.ts'
import type { Param } from './queries.ts'
import type { Schema } from './schema/schema.ts'
import { memberProjects, type ViewerKind } from './visibility.ts'

/** The columns of `projects` that say who gets a feature. */
export type FeatureSwitch = {
  [Column in keyof Schema['projects']]: Column extends `${string}AccessLevel` ? Column : never
}[keyof Schema['projects']]

const eb = expressionBuilder<Schema, 'projects'>()

/**
 * Whether the caller gets features of a project: the SQL twin of the rows of the policy that are for
 * visitors and, among members, from `level` on (catalogue: permissions, rule 5). Over `projects` that the
 * caller can see; all the features must be there.
 */
export function readableFeature(
  kind: ViewerKind,
  $: Param<ViewerArgs>,
  { switches, level }: { switches: readonly FeatureSwitch[]; level: number },
): Expression<SqlBool> {
  const available = availableFeature(switches)
  if (kind === 'admin') return available
  const open = eb.and([
    ...switches.map((name) => eb(`projects.${name}`, '=', 'enabled')),
    kind === 'insider'
      ? eb('projects.visibility', 'in', ['public', 'internal'])
      : eb('projects.visibility', '=', 'public'),
  ])
  if (kind === 'anonymous') return open
  return eb.or([open, eb.and([available, memberProjects(level, $, 'projects', 'scan')])])
}

/** Whether features are on for anybody. */
export function availableFeature(switches: readonly FeatureSwitch[]): Expression<SqlBool> {
  return eb.and(switches.map((name) => eb(`projects.${name}`, '<>', 'disabled')))
}
