/** One measured request. */
export interface BenchRow {
  name: string
  path: string
  /** The minimum rate, as a share of the baseline's. */
  goal: number
}

/** A request that is measured on large and on small data. */
export interface SizeRow extends Omit<BenchRow, 'goal'> {
  /** The maximum cost on large data, as a multiple of that on small data. */
  goal: number
}
