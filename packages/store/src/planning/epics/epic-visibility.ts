import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { memberGroups, type ViewerKind } from '../../directory/members/visibility.ts'
import type { Param } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'

const eb = expressionBuilder<Schema, never>()

/** The SQL equivalent of `read_epics`, over groups; `table` is their alias in the query. */
export function visibleEpics(
  kind: ViewerKind,
  $: Param<ViewerArgs>,
  table = 'namespaces',
): Expression<SqlBool> {
  const exists = eb.and([
    sql<SqlBool>`${sql.ref(`${table}.id`)} is not null`,
    sql<SqlBool>`${sql.ref(`${table}.deletedAt`)} is null`,
  ])
  if (kind === 'admin') return exists
  const visibility = sql.ref<string>(`${table}.visibility`)
  const open =
    kind === 'internal'
      ? eb(visibility, 'in', ['public', 'internal'])
      : eb(visibility, '=', 'public')
  if (kind === 'anonymous') return eb.and([exists, open])
  return eb.and([exists, eb.or([open, memberGroups(10, $, table)])])
}
