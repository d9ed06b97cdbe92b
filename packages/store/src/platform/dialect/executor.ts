import type { CountCache } from '../queries/count-cache.ts'
import type { Build, DialectName, Queries } from '../queries/queries.ts'
import { bindValues, type Shape, type ShapeCache } from '../queries/shape-cache.ts'

/** Runs compiled queries on one connection or on a pool. Returns synchronously if it can. */
export interface Executor<P> {
  rows(shape: Shape<P>, values: unknown[]): unknown[] | Promise<unknown[]>
  row(shape: Shape<P>, values: unknown[]): unknown
  changes(shape: Shape<P>, values: unknown[]): number | Promise<number>
}

/** State shared by the parts of one database. */
export interface Core<P> {
  readonly dialect: DialectName
  readonly shapes: ShapeCache<P>
  readonly stats: { queries: number }
  /** Called after a commit that added jobs. */
  readonly jobs: { listener: () => void }
  /** Called after a commit with each channel that it notified. */
  readonly notifications: { listener: (channel: string) => void }
}

/**
 * Wraps an executor as typed queries. Rows are not validated: their type is that of the built
 * query.
 */
export function createQueries<P>(
  core: Core<P>,
  executor: Executor<P>,
  counts?: CountCache,
): Queries {
  const { dialect, shapes, stats } = core
  return {
    dialect,
    counts,
    async all<A extends object, R>(name: string, args: A, build: Build<A, R>): Promise<R[]> {
      const shape = shapes.get(name, build)
      stats.queries += 1
      return executor.rows(shape, bindValues(dialect, name, shape, args)) as R[] | Promise<R[]>
    },
    async first<A extends object, R>(name: string, args: A, build: Build<A, R>) {
      const shape = shapes.get(name, build)
      stats.queries += 1
      return executor.row(shape, bindValues(dialect, name, shape, args)) as R | undefined
    },
    async run(name, args, build) {
      const shape = shapes.get(name, build)
      stats.queries += 1
      return { changes: await executor.changes(shape, bindValues(dialect, name, shape, args)) }
    },
  }
}
