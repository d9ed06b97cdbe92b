import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { ViewerArgs } from '../memberships.ts'
import type { Param } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { memberGroups, type ViewerKind } from '../visibility.ts'

const eb = expressionBuilder<Schema, never>()

/** The SQL twin of `read_epics`, over groups; `table` is the name that they have in the query. */
export function visibleEpics(
  kind: ViewerKind,
  $: Param<ViewerArgs>,
  table = 'namespaces',
): Expression<SqlBool> {
  const isThere = eb.and([
    sql<SqlBool>`${sql.ref(`${table}.id`)} is not null`,
    sql<SqlBool>`${sql.ref(`${table}.deletedAt`)} is null`,
  ])
  if (kind === 'admin') return isThere
  const visibility = sql.ref<string>(`${table}.visibility`)
  const open =
    kind === 'insider'
      ? eb(visibility, 'in', ['public', 'internal'])
      : eb(visibility, '=', 'public')
  if (kind === 'anonymous') return eb.and([isThere, open])
  return eb.and([isThere, eb.or([open, memberGroups(10, $, table)])])
}
