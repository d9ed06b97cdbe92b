import type { Build, Transaction } from '../queries.ts'
import { explainQuery } from './explain.ts'

/**
 * How SQLite would run each query of some work, by its shape. The queries answer nothing, or each the row
 * `found`, so that what follows it is seen as well.
 */
export async function plansOf(
  work: (tx: Transaction) => Promise<unknown>,
  found?: object,
): Promise<Map<string, string[]>> {
  const plans = new Map<string, string[]>()
  const note = async <A extends object>(shape: string, build: Build<A, unknown>) => {
    plans.set(shape, await explainQuery(build))
  }
  await work({
    dialect: 'sqlite',
    onCommit: () => undefined,
    async all(shape, _, build) {
      await note(shape, build)
      return found === undefined ? [] : [found as never]
    },
    async first(shape, _, build) {
      await note(shape, build)
      return found as never
    },
    async run(shape, _, build) {
      await note(shape, build)
      return { changes: found === undefined ? 0 : 1 }
    },
  })
  return plans
}

/** The steps of a plan that read a table from end to end, or sort; lists of values, and rows of no table, do not count. */
export function costlySteps(plan: readonly string[]): string[] {
  return plan.filter(
    (step) =>
      /^SCAN (?!(json_each|value|CONSTANT ROW)\b)/.test(step) || step.includes('FOR ORDER BY'),
  )
}
