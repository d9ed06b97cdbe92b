declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** The projects are no forks any more. */
    'project.fork_unlinked': { projectIds: readonly number[] }
  }
}
