import type { IssueItem } from '../items/item.ts'

/** How texts of one issue refer to another: `#3` within the project, `group/project#3` elsewhere. */
export function referenceTo({ row }: IssueItem, from: IssueItem): string {
  const path = row.projectId === from.row.projectId ? '' : row.projectFullPath
  return `${path}#${row.iid}`
}
