import type { Generated } from 'kysely'

/** Releases of tags; a tag has at most one. */
export interface ReleasesTable {
  id: Generated<number>
  projectId: number
  /** The name of the tag. */
  tag: string
  name: string
  description: string | null
  authorId: number | null
  createdAt: number
  updatedAt: number
  releasedAt: number
}

/** Links to the files and pages of a release. */
export interface ReleaseLinksTable {
  id: Generated<number>
  releaseId: number
  name: string
  url: string
  createdAt: number
  updatedAt: number
}
