/** Whether a repository is due for housekeeping. */
export interface RepositoryHousekeepingTable {
  projectId: number
  /** Pushes since the last housekeeping. */
  pushCount: number
  /** The last housekeeping job, running or finished. */
  jobId: number | null
}
