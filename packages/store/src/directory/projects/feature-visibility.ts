import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Param } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import type { ViewerArgs } from '../members/memberships.ts'
import { memberProjects, type ViewerKind } from '../members/visibility.ts'

/** The columns of `projects` that hold the access level of a feature. */
export type FeatureSwitch = {
  [Column in keyof Schema['projects']]: Column extends `${string}AccessLevel` ? Column : never
}[keyof Schema['projects']]

const eb = expressionBuilder<Schema, 'projects'>()

/**
 * Whether the caller has access to features of a project: the SQL equivalent of the policy's rules
 * for non-members and for members from `level` on. Over `projects` that the caller can see; all the
 * features must be enabled.
 */
export function readableFeature(
  kind: ViewerKind,
  $: Param<ViewerArgs>,
  { switches, level }: { switches: readonly FeatureSwitch[]; level: number },
): Expression<SqlBool> {
  const available = availableFeature(switches)
  if (kind === 'admin') return available
  const open = openFeature(kind, switches)
  if (kind === 'anonymous') return open
  return eb.or([open, eb.and([available, memberProjects(level, $, 'projects', 'scan')])])
}

/** Whether all callers of a kind other than `admin` have access to features without a membership. */
export function openFeature(
  kind: ViewerKind,
  switches: readonly FeatureSwitch[],
): Expression<SqlBool> {
  return eb.and([
    ...switches.map((name) => eb(`projects.${name}`, '=', 'enabled')),
    kind === 'internal'
      ? eb('projects.visibility', 'in', ['public', 'internal'])
      : eb('projects.visibility', '=', 'public'),
  ])
}

/** Whether features are enabled for anyone. */
export function availableFeature(switches: readonly FeatureSwitch[]): Expression<SqlBool> {
  return eb.and(switches.map((name) => eb(`projects.${name}`, '<>', 'disabled')))
}
