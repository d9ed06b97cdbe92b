import type { Page, PageRequest } from '../../platform/queries/page.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { planWorkItems } from '../items/lists/plan.ts'
import type { WorkItemRequest } from '../items/lists/work-item-filter.ts'
import { countWorkItems, loadWorkItemsPage } from '../items/lists/work-item-list.ts'
import type { WorkItemTable } from '../items/lists/work-item-table.ts'
import { type IssueRow, issueColumns } from './issue-row.ts'
import {
  availableIssueProjects,
  openIssueProjects,
  openOrOwnIssue,
  visibleIssues,
} from './issue-visibility.ts'

/** The table of issues, as lists of work items need it. */
export const issueTable: WorkItemTable = {
  name: 'issues',
  type: 'issue',
  assignees: 'issueAssignees',
  assigned: 'issueId',
  hasPresence: true,
  texts: 'issueTexts',
  visible: visibleIssues,
  ownIn: openOrOwnIssue,
  projects: { available: availableIssueProjects, open: openIssueProjects },
}

/**
 * Lists a page of the issues that the caller may see. Two queries, one of them for the stamps;
 * after a change up to three more in a project (for what is counted), and up to six elsewhere. A
 * label or milestone by title costs one more outside of a project.
 */
export async function listIssues(
  q: Queries,
  request: WorkItemRequest,
  page: PageRequest,
): Promise<Page<IssueRow>> {
  const plan = await planWorkItems(q, issueTable, request)
  if (plan === undefined) return { items: [], total: 0, ...page }
  const count = await countWorkItems(q, plan)
  return loadWorkItemsPage<IssueRow>(q, plan, { columns: issueColumns }, count, page)
}

/** Counts the issues that the caller may see. */
export async function countIssues(q: Queries, request: WorkItemRequest): Promise<number> {
  const plan = await planWorkItems(q, issueTable, request)
  return plan === undefined ? 0 : (await countWorkItems(q, plan)).total
}
