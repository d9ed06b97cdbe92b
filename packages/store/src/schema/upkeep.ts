/** When and whether a repository is due for upkeep. */
export interface RepositoryUpkeepTable {
  projectId: number
  /** Pushes since the last upkeep. */
  pushCount: number
  /** The job that stands for the upkeep, under way or done. */
  jobId: number | null
}
