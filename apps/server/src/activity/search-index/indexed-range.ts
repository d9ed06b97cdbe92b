import type { SearchSourceKind } from '@stithy/store'

/** What is indexed: the changes between two commits, or everything if `from` is null. */
export interface IndexedRange {
  kind: SearchSourceKind
  from: string | null
  to: string
  signal: AbortSignal
}
