/** One measured request. */
export interface BenchRow {
  name: string
  path: string
  /** The minimum rate, as a share of the baseline's. */
  goal: number
  /** The longest that the median request may take, in milliseconds. */
  limit?: number
  /** Instead of the private token of the measured member. */
  headers?: Readonly<Record<string, string>>
}

/** A request that is measured on large and on small data. */
export interface SizeRow extends Omit<BenchRow, 'goal'> {
  /** The maximum cost on large data, as a multiple of that on small data. */
  goal: number
}
