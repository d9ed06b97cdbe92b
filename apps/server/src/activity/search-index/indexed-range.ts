/** What is indexed: the changes between two commits, or everything if `from` is null. */
export interface IndexedRange {
  from: string | null
  to: string
  signal: AbortSignal
}
