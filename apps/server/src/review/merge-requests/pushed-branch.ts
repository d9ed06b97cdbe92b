import type { RefUpdate } from '@stithy/core'
import type { RepositoryRow } from '@stithy/store'

/** One pushed branch. */
export interface PushedBranch {
  project: RepositoryRow
  branch: string
  update: RefUpdate
  /** Who pushed; the ghost user if that user was deleted. */
  actorId: number
}
