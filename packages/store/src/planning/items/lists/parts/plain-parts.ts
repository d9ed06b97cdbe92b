import { searchedFields } from '@stithy/core'
import { expressionBuilder, sql } from 'kysely'
import { containing, inList } from '../../../../platform/queries/sql.ts'
import type { Schema } from '../../../../platform/schema/schema.ts'
import type { WorkItemFilter } from '../work-item-filter.ts'
import { type Condition, columnOf } from '../work-item-table.ts'
import { type Context, number, type Part, word } from './conditions.ts'
import { matchQuery, searchWords, spellings } from './search-words.ts'

const eb = expressionBuilder<Schema, never>()

/** Conditions on state, iids, dates and confidentiality. */
export function plainParts(filter: WorkItemFilter): Part[] {
  const { state, iids, confidential } = filter
  const parts: Part[] = []
  if (state !== undefined) {
    const where = ({ $, column }: Context) => eb(column<string>('state'), '=', word($, 'state'))
    parts.push({ name: 'state', args: { state }, where })
  }
  if (iids !== undefined && iids.length > 0) {
    const where = ({ $, column }: Context) => inList(column('iid'), $('iids') as readonly number[])
    parts.push({ name: 'iids', args: { iids }, where })
  }
  if (confidential !== undefined) {
    // A constant, since the partial index of confidential items covers only this value.
    const where = ({ column }: Context) => eb(column('confidential'), '=', confidential ? 1 : 0)
    parts.push({ name: `confidential-${confidential}`, where })
  }
  return [...parts, ...boundParts(filter)]
}

const bounds = [
  ['createdFrom', 'createdAt', '>='],
  ['createdUntil', 'createdAt', '<='],
  ['updatedFrom', 'updatedAt', '>='],
  ['updatedUntil', 'updatedAt', '<='],
] as const

function boundParts(filter: WorkItemFilter): Part[] {
  return bounds.flatMap(([name, columnName, operator]) => {
    const value = filter[name]
    if (value === undefined) return []
    const where = ({ $, column }: Context) =>
      eb(column<number>(columnName), operator, number($, name))
    return [{ name, args: { [name]: value }, where }]
  })
}

/** The part of a search that SQLite's trigram table can answer. */
export interface TextSearch {
  args: { match: string }
  condition: (context: Context) => Condition
}

/** The part of a search that a trigram index can answer; undefined if it has no long word. */
export function textSearch({ search = '', searchIn }: WorkItemFilter): TextSearch | undefined {
  const { long } = searchWords(search)
  if (long.length === 0) return undefined
  return {
    args: { match: matchQuery(long, fieldsOf(searchIn)) },
    condition: ({ $, table }) => {
      const texts = sql.table(table.texts)
      return sql`${columnOf(table, 'id')} in (select rowid from ${texts} where ${texts} match ${$('match')})`
    },
  }
}

function fieldsOf(searchIn: WorkItemFilter['searchIn']): readonly string[] {
  const fields = searchIn === undefined || searchIn.length === 0 ? searchedFields : searchIn
  return [...new Set(fields)].toSorted()
}

/**
 * A condition for each word of the search: one of the fields must contain it, case-insensitively.
 */
export function searchParts(filter: WorkItemFilter): Part[] {
  const { long, short } = searchWords(filter.search ?? '')
  const fields = fieldsOf(filter.searchIn)
  const part = (text: string, index: number, kind: 'long' | 'short'): Part => {
    const variants = spellings(text).map(containing)
    const names = variants.map((_, variant) => `${kind}${index}_${variant}`)
    return {
      name: `${kind}${index}x${variants.length}-${fields.join('+')}`,
      args: Object.fromEntries(names.map((name, variant) => [name, variants[variant] ?? ''])),
      where: (context) =>
        eb.or(fields.flatMap((field) => names.map((name) => contains(context, field, name)))),
    }
  }
  return [
    ...long.map((text, index) => part(text, index, 'long')),
    ...short.map((text, index) => part(text, index, 'short')),
  ]
}

/**
 * PostgreSQL's trigram index is over the lower-cased text, by the rules of the database's language.
 */
function contains({ $, table, dialect }: Context, field: string, name: string): Condition {
  const column = columnOf<string>(table, field)
  if (dialect === 'sqlite') return sql`${column} like ${$(name)} escape '\\'`
  return sql`lower(${column} collate "default") like lower(${$(name)}::text collate "default")`
}
