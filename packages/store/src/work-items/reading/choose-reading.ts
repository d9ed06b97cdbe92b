import type { WorkItemPlan } from '../plan.ts'
import { maxLanes } from '../scope.ts'
import { type Driver, orderDriver, placeDriver } from './driver.ts'

/**
 * How a page is read. `flat`: item by item, in order where the driver gives it, else all of them sorted.
 * `lanes`: the first of each of several ranges, merged.
 */
export interface Reading {
  way: 'flat' | 'lanes'
  driver: Driver
}

/** What is known of the lengths of lists; see `countsFor`. */
export interface Lengths {
  /** Of the list itself. */
  total: number
  /** Of its place without any filter, as far as the caller sees it. */
  place: number
  /** Of the whole table. */
  all: number
}

/** A way with the number of rows that are looked at on it, more or less. */
interface Estimate extends Reading {
  cost: number
}

/** Whether the list is in order as its driver reads it, so that there is nothing to choose. */
export function isInOrder({ driver, scope, orderBy }: WorkItemPlan): boolean {
  if (driver === undefined) return scope.kind !== 'projects'
  return driver.inOrder && orderBy === 'created_at'
}

/**
 * Chooses the way on which the fewest rows are looked at. Where many match they are met soon in the order
 * of their place; where few do, it is better to find and sort them all, or to merge a few ranges.
 * @param needed how many items the page and those before it have
 */
export function chooseReading(plan: WorkItemPlan, lengths: Lengths, needed: number): Reading {
  const { driver, scope, orderBy } = plan
  const place = placeDriver(scope, orderBy)
  if (isInOrder(plan)) return { way: 'flat', driver: driver ?? place }
  const { total, all } = lengths
  /** How many rows are passed on the way through so many, until the page is full. */
  const passed = (rows: number) => Math.min(rows, (needed * rows) / Math.max(1, total))
  const ways: Estimate[] = []
  if (driver !== undefined) {
    ways.push({ way: 'flat', driver, cost: sorted * total })
    ways.push(...lanesOf(plan, driver, needed))
    if (driver.clustered) return cheapest(ways)
  }
  if (scope.kind === 'projects') {
    const each = passed(lengths.place / scope.ids.length)
    ways.push(...lanesOf(plan, place, Math.max(needed, each)))
    ways.push({ way: 'flat', driver: place, cost: sorted * lengths.place })
    ways.push({ way: 'flat', driver: orderDriver(orderBy), cost: passed(all) })
  } else {
    const rows = scope.kind === 'visible' ? all : lengths.place
    ways.push({ way: 'flat', driver: place, cost: passed(rows) })
  }
  return cheapest(ways)
}

function cheapest(ways: readonly Estimate[]): Reading {
  return ways.reduce((best, way) => (way.cost < best.cost ? way : best))
}

/** A row that is found and sorted costs as much as so many that are passed by. */
const sorted = 3
/** The beginning of a lane does, too. */
const start = 10

function lanesOf({ orderBy }: WorkItemPlan, driver: Driver, needed: number): Estimate[] {
  const { lanes } = driver
  const byAge = orderBy === 'created_at' || driver.name === 'place'
  if (lanes === undefined || !byAge || lanes.count > maxLanes) return []
  return [{ way: 'lanes', driver, cost: lanes.count * (start + sorted * needed) }]
}
