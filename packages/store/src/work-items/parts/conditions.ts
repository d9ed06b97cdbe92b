import { type Expression, sql } from 'kysely'
import type { ViewerArgs } from '../../memberships.ts'
import type { DialectName, Param } from '../../queries.ts'
import { unindexed } from '../../sql.ts'
import { type Condition, columnOf, type WorkItemTable } from '../work-item-table.ts'
import type { Mark } from './marks.ts'

/** The values of a list by name; lists of them are for `inList`. */
export type Args = Record<string, string | number | readonly number[]>

/** A column of the table: bare where the driver reads by it, else kept from the choice of an index. */
export type Columns = <T>(name: string) => Expression<T>

export interface Context {
  $: Param<Args>
  column: Columns
  table: WorkItemTable
  dialect: DialectName
}

/** One condition of a list: its name in the shape of the query, and the values that it needs. */
export interface Part {
  name: string
  args?: Args
  where: (context: Context) => Condition
  /** Depends on who asks: the arguments of the viewer are needed. */
  personal?: true
  /** The index of marks answers it by itself. */
  mark?: [Mark, boolean]
}

/** Columns for a driver that reads by those named. */
export function columnsFor(table: WorkItemTable, bare: readonly string[]): Columns {
  return <T>(name: string) => {
    const column = columnOf<T>(table, name)
    return bare.includes(name) ? column : unindexed<T>(column)
  }
}

/** `$('name')` as the number that it is. */
export function number($: Param<Args>, name: string): number {
  return $(name) as number
}

/** `$('name')` as the text that it is. */
export function word($: Param<Args>, name: string): string {
  return $(name) as string
}

/** The id of the user with this lower-cased name, as a value; null where there is none. */
export function userNamed($: Param<Args>, name: string): Expression<number> {
  return sql<number>`(select named."id" from "users" as named where named."usernameLower" = ${$(name)})`
}

/** The arguments of parts; those of the viewer only where they make a difference, for counts' sake. */
export function argsOf(parts: readonly Part[], viewer: ViewerArgs): Args {
  const own = parts.some((part) => part.personal) ? { ...viewer } : {}
  return Object.assign(own, ...parts.map((part) => part.args ?? {}))
}
