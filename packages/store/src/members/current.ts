import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Param } from '../queries.ts'

/** Whether a membership or a share, named by its alias, still counts on `$('today')`. */
export function current(alias: string, $: Param<{ today: string }>): RawBuilder<SqlBool> {
  const expiresOn = sql.ref(`${alias}.expiresOn`)
  return sql<SqlBool>`(${expiresOn} is null or ${expiresOn} >= ${$('today')})`
}
