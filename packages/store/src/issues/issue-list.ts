import type { Page, PageRequest } from '../page.ts'
import type { Queries } from '../queries.ts'
import { planWorkItems } from '../work-items/plan.ts'
import type { WorkItemRequest } from '../work-items/work-item-filter.ts'
import { countWorkItems, pageOfWorkItems } from '../work-items/work-item-list.ts'
import type { WorkItemTable } from '../work-items/work-item-table.ts'
import { type IssueRow, issueColumns } from './issue-row.ts'
import {
  availableIssueProjects,
  openIssueProjects,
  openOrOwnIssue,
  visibleIssues,
} from './issue-visibility.ts'

/** Issues, as lists of work items know them. */
export const issueTable: WorkItemTable = {
  name: 'issues',
  type: 'issue',
  assignees: 'issueAssignees',
  assigned: 'issueId',
  hasMarks: true,
  texts: 'issueTexts',
  visible: visibleIssues,
  ownIn: openOrOwnIssue,
  projects: { available: availableIssueProjects, open: openIssueProjects },
}

/**
 * A page of the issues that the caller may see. Two queries, one of them for the stamps; after a change up
 * to three more in a project (what is counted), and up to six elsewhere. A label or a milestone by its title
 * costs one more outside of a project.
 */
export async function listIssues(
  q: Queries,
  request: WorkItemRequest,
  page: PageRequest,
): Promise<Page<IssueRow>> {
  const plan = await planWorkItems(q, issueTable, request)
  if (plan === undefined) return { items: [], total: 0, ...page }
  const total = await countWorkItems(q, plan)
  return pageOfWorkItems<IssueRow>(q, plan, { columns: issueColumns }, total, page)
}

/** How many issues there are of those that the caller may see. */
export async function countIssues(q: Queries, request: WorkItemRequest): Promise<number> {
  const plan = await planWorkItems(q, issueTable, request)
  return plan === undefined ? 0 : countWorkItems(q, plan)
}
