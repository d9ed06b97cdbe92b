import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Param } from '../../platform/queries/queries.ts'

/** Whether a membership or share, given by its alias, is still active on `$('today')`. */
export function current(alias: string, $: Param<{ today: string }>): RawBuilder<SqlBool> {
  const expiresOn = sql.ref(`${alias}.expiresOn`)
  return sql<SqlBool>`(${expiresOn} is null or ${expiresOn} >= ${$('today')})`
}
