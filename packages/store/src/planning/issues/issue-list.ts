import type { Page, PageRequest } from '../../platform/queries/page.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { planWorkItems } from '../items/lists/plan.ts'
import type { WorkItemRequest } from '../items/lists/work-item-filter.ts'
import { countWorkItems, listWorkItems } from '../items/lists/work-item-list.ts'
import { searchWorkItems, type WorkItemSearch } from '../items/lists/work-item-search.ts'
import type { WorkItemTable } from '../items/lists/work-item-table.ts'
import { type IssueRow, listedIssueColumns } from './issue-row.ts'
import {
  availableIssueProjects,
  fullIssueProjects,
  openIssueProjects,
  openOrOwnIssue,
  visibleIssues,
} from './issue-visibility.ts'

/** The table of issues, as lists of work items need it. */
export const issueTable: WorkItemTable = {
  name: 'issues',
  type: 'issue',
  owner: { column: 'projectId', table: 'projects' },
  assignees: 'issueAssignees',
  assigned: 'issueId',
  presence: ['labels', 'assignees', 'milestone', 'weight'],
  hasNumberIndex: true,
  texts: 'issueTexts',
  visible: visibleIssues,
  ownIn: openOrOwnIssue,
  projects: {
    available: availableIssueProjects,
    open: openIssueProjects,
    full: fullIssueProjects,
  },
}

/** Lists a page of the issues that the caller may see. Queries as for `listWorkItems`. */
export function listIssues(
  q: Queries,
  request: WorkItemRequest,
  page: PageRequest,
): Promise<Page<IssueRow>> {
  return listWorkItems<IssueRow>(q, issueTable, { columns: listedIssueColumns }, request, page)
}

/** Finds the issues of a search that the caller may see; see `searchWorkItems`. */
export function searchIssues(q: Queries, search: WorkItemSearch): Promise<Page<IssueRow>> {
  return searchWorkItems<IssueRow>(q, issueTable, { columns: listedIssueColumns }, search)
}

/** Counts the issues that the caller may see. */
export async function countIssues(q: Queries, request: WorkItemRequest): Promise<number> {
  const plan = await planWorkItems(q, issueTable, request)
  return plan === undefined ? 0 : (await countWorkItems(q, plan)).total
}
