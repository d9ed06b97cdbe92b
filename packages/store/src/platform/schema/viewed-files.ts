import type { Generated } from 'kysely'

/** Changed files of merge requests that users have marked as viewed. */
export interface ViewedFilesTable {
  id: Generated<number>
  mergeRequestId: number
  userId: number
  /** The new path. */
  path: string
  /** SHA-256 of the path, which may be too long for an index of PostgreSQL. */
  pathHash: string
  /** The mode and the blob that were viewed, as `DiffEntry` of git has them: zeros of a deleted file. */
  mode: string
  oid: string
  /** Milliseconds since the epoch. */
  viewedAt: number
}
