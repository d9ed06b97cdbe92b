declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** Hidden from everyone; a job removes the contents. */
    'user.deleted': {
      deletedUserId: number
      /** Ids of the groups without another owner. */
      solelyOwnedGroups: readonly number[]
    }
  }
}
