declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** Hidden from everybody; a job removes the contents. */
    'user.deleted': {
      deletedUserId: number
      /** Ids of the groups without another owner. */
      soleGroups: readonly number[]
    }
  }
}
