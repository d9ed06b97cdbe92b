import { createQueryId, type Kysely, type RootOperationNode } from 'kysely'
import { StoreError } from '../errors.ts'
import type { Schema } from '../schema/schema.ts'
import type { Build, DialectName, Param } from './queries.ts'

/** A compiled query; `prepared` holds one statement per connection that requested one. */
export interface Shape<P> {
  readonly name: string
  readonly sql: string
  readonly writes: boolean
  /** Values in the order of the placeholders. */
  readonly parameters: readonly unknown[]
  readonly prepared: (P | undefined)[]
  /** SQLite: how long it last took in a thread, in milliseconds. */
  threadMs?: number
}

export interface ShapeCache<P> {
  /** Builds the query if this shape is new. */
  get<A extends object, R>(name: string, build: Build<A, R>): Shape<P>
}

/** The placeholder of an argument inside a compiled query. */
class Marker {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  /** Called by `+`, comparisons and template strings, which would freeze a wrong value. */
  [Symbol.toPrimitive](): never {
    throw new StoreError('shape', `$('${this.name}') is a marker without a value`)
  }
}

/**
 * More shapes than the server has; each costs a few kilobytes. Beyond it the
 * oldest is dropped, and built again if it is still used: to order them by their last use would cost
 * each query a third of a microsecond.
 */
const capacity = 2000

/** Building a query costs more than running most of them. */
const checkedUses = 20

/**
 * Caches compiled queries by shape. With `check`, the next 20 uses build again and throw
 * `StoreError` `shape` if the text or a constant differs from the first time.
 */
export function createShapeCache<P>(db: Kysely<Schema>, check: boolean): ShapeCache<P> {
  const shapes = new Map<string, Shape<P>>()
  const checksLeft = new Map<string, number>()
  return {
    get(name, build) {
      const known = shapes.get(name)
      if (known !== undefined) {
        const left = checksLeft.get(name) ?? 0
        if (left > 0) {
          checksLeft.set(name, left - 1)
          assertSame(name, known, compile(db, name, build))
        }
        return known
      }
      const shape: Shape<P> = compile(db, name, build)
      if (shapes.size >= capacity) {
        const [oldest = name] = shapes.keys()
        shapes.delete(oldest)
      }
      shapes.set(name, shape)
      if (check) checksLeft.set(name, checkedUses)
      return shape
    },
  }
}

function compile<P, A>(db: Kysely<Schema>, name: string, build: Build<A, unknown>): Shape<P> {
  // A marker replaces a value of any type.
  const $: Param<A> = (name) => new Marker(name) as never
  const node = build(db, $).toOperationNode()
  // By the node and not by `compile()`: parts built outside `db` have no compiler of their own.
  const query = db.getExecutor().compileQuery(node as RootOperationNode, createQueryId())
  const { kind } = node
  return {
    name,
    sql: query.sql,
    writes: kind !== 'SelectQueryNode' && kind !== 'RawNode',
    parameters: query.parameters,
    prepared: [],
  }
}

function assertSame(name: string, known: Shape<unknown>, built: Shape<unknown>): void {
  const text = (shape: Shape<unknown>) =>
    JSON.stringify([shape.sql, shape.parameters.map((p) => (p instanceof Marker ? [p.name] : p))])
  if (text(known) === text(built)) return
  throw new StoreError(
    'shape',
    `The query shape '${name}' was built in two ways. What varies in the text belongs in its ` +
      `name, what varies in values in args.\n${text(known)}\n${text(built)}`,
  )
}

/** The values of one execution, as the drivers take them. Throws if an argument is missing. */
export function bindValues(
  dialect: DialectName,
  name: string,
  shape: Shape<unknown>,
  args: object,
): unknown[] {
  const { parameters } = shape
  const values: unknown[] = new Array(parameters.length)
  for (let i = 0; i < parameters.length; i += 1) {
    const parameter = parameters[i]
    values[i] = toDriver(
      dialect,
      parameter instanceof Marker ? argument(name, args, parameter) : parameter,
    )
  }
  return values
}

function argument(shape: string, args: object, marker: Marker): unknown {
  const value = (args as Record<string, unknown>)[marker.name]
  if (value !== undefined) return value
  throw new StoreError('shape', `The query '${shape}' got no value for $('${marker.name}')`)
}

function toDriver(dialect: DialectName, value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return dialect === 'sqlite' || !Array.isArray(value) ? JSON.stringify(value) : value
}
