import type { WorkItemTable } from '../../planning/items/lists/work-item-table.ts'
import {
  availableMergeRequestProjects,
  listedMergeRequests,
  openMergeRequestProjects,
  ownMergeRequest,
  visibleMergeRequestProjects,
} from '../../planning/items/merge-request-visibility.ts'

/** The table of merge requests, as lists of work items need it. */
export const mergeRequestTable: WorkItemTable = {
  name: 'mergeRequests',
  type: 'merge_request',
  owner: { column: 'projectId', table: 'projects' },
  assignees: 'mergeRequestAssignees',
  assigned: 'mergeRequestId',
  presence: ['labels', 'assignees', 'milestone'],
  hasNumberIndex: false,
  texts: 'mergeRequestTexts',
  visible: listedMergeRequests,
  ownIn: ownMergeRequest,
  projects: {
    available: availableMergeRequestProjects,
    open: openMergeRequestProjects,
    full: visibleMergeRequestProjects,
  },
}
