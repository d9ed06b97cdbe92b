import { type Expression, sql } from 'kysely'
import type { ViewerArgs } from '../../../../directory/members/memberships.ts'
import type { DialectName, Param } from '../../../../platform/queries/queries.ts'
import { unindexed } from '../../../../platform/queries/sql.ts'
import { type Condition, columnOf, type ListedTable } from '../work-item-table.ts'
import type { PresenceBit } from './presence-bits.ts'

/** The arguments of a list by name; arrays are for `inList`. */
export type Args = Record<string, string | number | readonly number[] | readonly string[]>

/**
 * A column of the table: plain if the driver reads by it, else hidden from the choice of an index.
 */
export type Columns = <T>(name: string) => Expression<T>

export interface Context {
  $: Param<Args>
  column: Columns
  table: ListedTable
  dialect: DialectName
}

/** One condition of a list: its name in the shape of the query, and its arguments. */
export interface Part {
  name: string
  args?: Args
  where: (context: Context) => Condition
  /** Whether it depends on the caller, so that the arguments of the viewer are needed. */
  personal?: true
  /** The presence bit that is equivalent to it. */
  presence?: [PresenceBit, boolean]
}

/** Columns for a driver that reads by the indexed ones. */
export function columnsFor(table: ListedTable, indexed: readonly string[]): Columns {
  return <T>(name: string) => {
    const column = columnOf<T>(table, name)
    return indexed.includes(name) ? column : unindexed<T>(column)
  }
}

/** `$('name')` typed as a number. */
export function number($: Param<Args>, name: string): number {
  return $(name) as number
}

/** `$('name')` typed as a text. */
export function word($: Param<Args>, name: string): string {
  return $(name) as string
}

/** `$('name')` typed as texts, for `inList`. */
export function words($: Param<Args>, name: string): readonly string[] {
  return $(name) as readonly string[]
}

/** The id of the user with this lower-cased name, as a value; null if there is none. */
export function userNamed($: Param<Args>, name: string): Expression<number> {
  return sql<number>`(select named."id" from "users" as named where named."usernameLower" = ${$(name)})`
}

/**
 * The arguments of parts; those of the viewer only where they make a difference, so that counts are
 * shared.
 */
export function argsOf(parts: readonly Part[], viewer: ViewerArgs): Args {
  const own = parts.some((part) => part.personal) ? { ...viewer } : {}
  return Object.assign(own, ...parts.map((part) => part.args ?? {}))
}
