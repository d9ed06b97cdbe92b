import type { AttributeChange } from '../../platform/changes/attribute-change.ts'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'project.created': {
      userId: number
      projectId: number
      /** Of the personal namespace that contains it; null in a group. */
      ownerId: number | null
      /** Branch of the initial commit; null for an empty repository. */
      initialBranch: string | null
    }
    'project.default_branch_changed': { projectId: number; branch: string }
    /** Settings, names or the visibility changed. */
    'project.updated': {
      projectId: number
      /** The full path before, if it changed. */
      oldFullPath: string | undefined
      /** Settings that say who may see or do what, and names. */
      changes: readonly AttributeChange[]
    }
    /** The row refers to the new namespace already. */
    'project.transferred': {
      projectId: number
      oldFullPath: string
      namespaceId: number
      /** Of a personal namespace; null for a group. */
      ownerId: number | null
    }
    /**
     * Recorded just before the projects are hidden from everyone, which takes their names; a job
     * removes the contents.
     */
    'project.deleted': { projectIds: readonly number[] }
  }
}
