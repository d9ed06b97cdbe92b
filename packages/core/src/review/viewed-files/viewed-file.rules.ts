/** Maximum number of files of a merge request that a user has marked as viewed: the latest ones. */
export const maxViewedFiles = 1000
