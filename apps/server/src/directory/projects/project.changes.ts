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
    /** The row refers to the new namespace already. */
    'project.transferred': {
      projectId: number
      namespaceId: number
      /** Of a personal namespace; null for a group. */
      ownerId: number | null
    }
    /** Hidden from everyone; a job removes the contents. */
    'project.deleted': { projectIds: readonly number[] }
  }
}
