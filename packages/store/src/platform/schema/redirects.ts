/** Full paths that a project or a namespace had before. */
export interface RedirectsTable {
  /** In lower case. */
  path: string
  /** What had the path: a project, or a group or user. */
  projectId: number | null
  namespaceId: number | null
}
