import type { Queries } from '@stithy/store'

/** Writes a part of what changed, in the transaction. */
export type Batch = (tx: Queries, sourceId: number) => Promise<void>

/** What is indexed: the changes between two commits, or everything if `from` is null. */
export interface IndexedRange {
  from: string | null
  to: string
  signal: AbortSignal
}
