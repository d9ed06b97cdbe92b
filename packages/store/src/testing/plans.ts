import type { Build, Queries, Transaction } from '../platform/queries/queries.ts'
import { explainQuery } from './explain.ts'

/**
 * SQLite's plans of the queries of some work, by shape. Each query returns nothing, or the row
 * `found`, so that subsequent queries are explained as well; lists are long.
 */
export async function plansOf(
  work: (tx: Transaction) => Promise<unknown>,
  found?: object,
): Promise<Map<string, string[]>> {
  const plans = new Map<string, string[]>()
  const note = async <A extends object>(shape: string, build: Build<A, unknown>) => {
    plans.set(shape, await explainQuery(build))
  }
  const last: (() => Promise<void>)[] = []
  await work({
    dialect: 'sqlite',
    onCommit: () => undefined,
    beforeCommit: (_, action) => {
      last.push(action)
    },
    wakeWorkers: () => undefined,
    notify: () => undefined,
    async all(shape, _, build) {
      await note(shape, build)
      return found === undefined ? [] : [found as never]
    },
    async first(shape, _, build) {
      await note(shape, build)
      return (found ?? lengthOf(shape)) as never
    },
    async run(shape, _, build) {
      await note(shape, build)
      return { changes: found === undefined ? 0 : 1 }
    },
  })
  for (const action of last) await action()
  return plans
}

/** The answer to the count of a list: long enough for a page to be read. */
function lengthOf(shape: string): { total: number } | undefined {
  return shape.endsWith('|count') ? { total: 1_000_000 } : undefined
}

/** Wraps queries outside of any transaction as one, for work that is only explained. */
export function asTransaction(q: Queries): Transaction {
  const ignore = () => undefined
  return { ...q, onCommit: ignore, beforeCommit: ignore, wakeWorkers: ignore, notify: ignore }
}

/**
 * The steps of a plan that scan a table or sort; lists of values and `CONSTANT ROW` do not count.
 */
export function costlySteps(plan: readonly string[]): string[] {
  return plan.filter(
    (step) =>
      /^SCAN (?!(json_each|value|CONSTANT ROW)\b)/.test(step) || step.includes('FOR ORDER BY'),
  )
}
