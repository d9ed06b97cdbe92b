import type { WorkItemPlan } from '../plan.ts'
import { maxPartitions } from '../scope.ts'
import { type Driver, orderDriver, scopeDriver } from './driver.ts'

/**
 * How a page is read. `flat`: item by item, in order if the driver gives it, else all of them
 * sorted. `partitions`: the first rows of each of several ranges, merged.
 */
export interface ReadStrategy {
  kind: 'flat' | 'partitions'
  driver: Driver
}

/** The known lengths of lists; see `countsFor`. */
export interface Lengths {
  /** Of the list itself. */
  total: number
  /** Of its scope without any filter, as visible to the caller. */
  scope: number
  /** Of the whole table. */
  all: number
}

/** A strategy with the estimated number of rows that it reads. */
interface Estimate extends ReadStrategy {
  cost: number
}

/** Whether the driver reads the list in order, so that there is nothing to choose. */
export function readsInOrder({ driver, scope, orderBy }: WorkItemPlan): boolean {
  if (driver === undefined) return scope.kind !== 'owners'
  return driver.inOrder && orderBy === 'created_at'
}

/**
 * Chooses the strategy that reads the fewest rows. If many rows match, they are found soon in the order of
 * their scope; if few do, it is better to find and sort them all, or to merge a few ranges.
 * @param needed the number of items up to the end of the page
 */
export function chooseReadStrategy(
  plan: WorkItemPlan,
  lengths: Lengths,
  needed: number,
): ReadStrategy {
  const { table, driver, scope, orderBy } = plan
  const inScope = scopeDriver(table, scope, orderBy)
  if (readsInOrder(plan)) return { kind: 'flat', driver: driver ?? inScope }
  const { total, all } = lengths
  /** How many of these rows are read until the page is full. */
  const passed = (rows: number) => Math.min(rows, (needed * rows) / Math.max(1, total))
  const strategies: Estimate[] = []
  if (driver !== undefined) {
    strategies.push({ kind: 'flat', driver, cost: sorted * total })
    strategies.push(...partitionsOf(plan, driver, needed))
    if (driver.clustered) return cheapest(strategies)
  }
  if (scope.kind === 'owners') {
    const each = passed(lengths.scope / scope.ids.length)
    strategies.push(...partitionsOf(plan, inScope, Math.max(needed, each)))
    strategies.push({ kind: 'flat', driver: inScope, cost: sorted * lengths.scope })
    strategies.push({ kind: 'flat', driver: orderDriver(orderBy), cost: passed(all) })
  } else {
    const rows = scope.kind === 'visible' ? all : lengths.scope
    strategies.push({ kind: 'flat', driver: inScope, cost: passed(rows) })
  }
  return cheapest(strategies)
}

function cheapest(strategies: readonly Estimate[]): ReadStrategy {
  return strategies.reduce((best, kind) => (kind.cost < best.cost ? kind : best))
}

/** Finding and sorting a row costs as much as reading this many in order. */
const sorted = 3
/** So does the start of a partition. */
const start = 10

function partitionsOf({ orderBy }: WorkItemPlan, driver: Driver, needed: number): Estimate[] {
  const { partitions } = driver
  const byAge = orderBy === 'created_at' || driver.name === 'scope'
  if (partitions === undefined || !byAge || partitions.count > maxPartitions) return []
  return [{ kind: 'partitions', driver, cost: partitions.count * (start + sorted * needed) }]
}
