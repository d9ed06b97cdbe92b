declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** The repository of a project was imported from another server. */
    'repository.imported': {
      projectId: number
      /** Null for an empty repository. */
      defaultBranch: string | null
    }
  }
}
