import {
  type Expression,
  ExpressionWrapper,
  FunctionNode,
  type OperationNode,
  type RawBuilder,
  type SqlBool,
  sql,
  ValueNode,
} from 'kysely'
import type { Schema } from '../schema/schema.ts'
import type { Param, Queries } from './queries.ts'

/** `users.id`: a column by the name of its table. */
export type ColumnName = {
  [Table in keyof Schema & string]: `${Table}.${keyof Schema[Table] & string}`
}[keyof Schema & string]

/** A column, or an expression (`eb.ref('p.id')`) if the table has an alias. */
export type ColumnLike = ColumnName | Expression<unknown>

/**
 * Whether the column is one of the values, of which there may be any number, including none: the
 * query text stays the same. The values must come from `args`, as numbers or strings.
 */
export function inList(
  column: ColumnLike,
  values: readonly (number | string)[],
): ExpressionWrapper<Schema, never, SqlBool> {
  return call('in_list', [nodeOf(column), ValueNode.create(values)])
}

/** Whether the column matches a pattern made by `containing` or `startingWith`; case-sensitive. */
export function matches(
  column: ColumnLike,
  pattern: string,
): ExpressionWrapper<Schema, never, SqlBool> {
  return call('matches_pattern', [nodeOf(column), ValueNode.create(pattern)])
}

/**
 * The column, hidden from SQLite's choice of an index, where a filter would lead it away from the
 * index that gives the order. PostgreSQL, which has value frequencies, may choose freely.
 */
export function unindexed<T>(column: ColumnLike): ExpressionWrapper<Schema, never, T> {
  return call('unindexed', [nodeOf(column)])
}

/** A number among selected columns, whose type PostgreSQL can't infer from a placeholder. */
export function asBigint<T extends number | null>(value: T): RawBuilder<T> {
  return sql<T>`cast(${value} as bigint)`
}

/** A text among selected columns, whose type PostgreSQL can't infer from a placeholder. */
export function asText<T extends string | null>(value: T): RawBuilder<T> {
  return sql<T>`cast(${value} as text)`
}

/** The larger value. The treatment of nulls depends on the dialect, so don't pass them. */
export function greatest(
  left: Expression<number>,
  right: Expression<number>,
): ExpressionWrapper<Schema, never, number> {
  return call('greatest', [left.toOperationNode(), right.toOperationNode()])
}

/** The smaller value. The treatment of nulls depends on the dialect, so don't pass them. */
export function least(
  left: Expression<number>,
  right: Expression<number>,
): ExpressionWrapper<Schema, never, number> {
  return call('least', [left.toOperationNode(), right.toOperationNode()])
}

/** The `matches` pattern of texts that contain `text`. */
export function containing(text: string): string {
  return `%${escapeLike(text)}%`
}

/** The `matches` pattern of texts that start with `text`. */
export function startingWith(text: string): string {
  return `${escapeLike(text)}%`
}

/** Escapes `%`, `_` and the backslash. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** A structured value as columns store it. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value)
}

/**
 * The elements of a list in JSON, in order, as rows of a table `item`: `item.value->>0` is the first
 * value of an element that is a list itself.
 */
export function jsonElements(
  { dialect }: Pick<Queries, 'dialect'>,
  list: string,
): RawBuilder<unknown> {
  return dialect === 'sqlite'
    ? sql`json_each(${list}) as item`
    : sql`json_array_elements(cast(${list} as json)) as item(value)`
}

/** Parses what `jsonText` wrote; the type is not validated. */
export function fromJsonText<T>(text: string): T {
  return JSON.parse(text) as T
}

/**
 * `pick($, ['name', 'path'])` is `{ name: $('name'), path: $('path') }`, for inserts and updates.
 */
export function pick<A, K extends keyof A & string>($: Param<A>, names: readonly K[]): Pick<A, K> {
  return Object.fromEntries(names.map((name) => [name, $(name)])) as Pick<A, K>
}

function nodeOf(column: ColumnLike): OperationNode {
  return (typeof column === 'string' ? sql.ref(column) : column).toOperationNode()
}

/** A function that the compilers of both dialects translate. */
function call<T>(name: string, args: OperationNode[]): ExpressionWrapper<Schema, never, T> {
  return new ExpressionWrapper(FunctionNode.create(name, args))
}
