import type { Queries } from '@stithy/store'

/** Where a ref moved from and to; null for absent. */
interface Move {
  from: string | null
  to: string | null
}

/** The ref moves that activity events recorded since a timestamp (milliseconds), oldest first. */
export interface RecordedMoves {
  ofRef: (
    q: Queries,
    args: { projectId: number; refType: 'branch' | 'tag'; ref: string; since: number },
  ) => Promise<Move[]>
  ofBranches: (
    q: Queries,
    args: { projectId: number; since: number },
  ) => Promise<{ ref: string; from: string | null }[]>
}

declare module '../../platform/app.ts' {
  interface App {
    recordedMoves: RecordedMoves
  }
}
