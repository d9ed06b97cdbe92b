import type { Generated } from 'kysely'

/** What a project says about one of its tags; a tag has at most one. */
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

/** Files and pages that belong to a release. */
export interface ReleaseLinksTable {
  id: Generated<number>
  releaseId: number
  name: string
  url: string
  createdAt: number
  updatedAt: number
}
