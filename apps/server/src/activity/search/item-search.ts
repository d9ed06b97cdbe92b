import type { FoundIssue, FoundMergeRequest, Issue, MergeRequest } from '@stithy/core'
import {
  type Page,
  searchIssues as searchIssueRows,
  searchMergeRequests as searchMergeRequestRows,
  type WorkItemListScope,
  type WorkItemSearch,
} from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import { viewIssues } from '../../planning/issues/issue-views.service.ts'
import {
  groupScope,
  instanceScope,
  projectScope,
} from '../../planning/issues/lists/issue-list-scope.ts'
import { itemRequest } from '../../planning/items/lists/item-request.ts'
import {
  groupRequests,
  instanceRequests,
  projectRequests,
} from '../../review/merge-requests/lists/merge-request-list-scope.ts'
import { viewMergeRequests } from '../../review/merge-requests/merge-request-views.service.ts'
import type { SearchRequest } from './search-request.ts'

/** Issues of the instance, archived projects left out, as the list of issues does. */
export function searchIssues(request: SearchRequest): Promise<Page<FoundIssue>> {
  return findIssues(request, instanceScope({}))
}

/** Issues of a group and its subgroups, archived projects left out. */
export function searchGroupIssues(request: SearchRequest<GroupSubject>): Promise<Page<FoundIssue>> {
  return findIssues(request, groupScope(request.subject, {}))
}

export function searchProjectIssues(
  request: SearchRequest<ProjectSubject>,
): Promise<Page<FoundIssue>> {
  return findIssues(request, projectScope(request.caller, request.subject))
}

async function findIssues(
  request: SearchRequest<unknown>,
  scope: WorkItemListScope,
): Promise<Page<FoundIssue>> {
  const { app, caller } = request
  const found = await searchIssueRows(app.db, itemSearch(request, scope))
  const issues = await viewIssues(app, caller, found.items, cutBy(request))
  return { ...found, items: issues.map(presentFoundIssue) }
}

function itemSearch(
  { app, caller, query: { search }, page }: SearchRequest<unknown>,
  scope: WorkItemListScope,
): WorkItemSearch {
  const request = itemRequest(app, caller, { scope, filter: { search } }, {})
  return { request, page, totalMs: app.config.codeLimits.search.totalMs }
}

/** How descriptions are cut. */
function cutBy({ query }: SearchRequest<unknown>) {
  return { maxDescriptionLength: query.max_description_length }
}

function presentFoundIssue(issue: Issue): FoundIssue {
  const {
    closed_by: _closedBy,
    merge_requests_count: _count,
    has_tasks: _hasTasks,
    task_status: _taskStatus,
    task_completion_status: _completion,
    _links,
    subscribed: _subscribed,
    ...found
  } = issue
  return found
}

/** Merge requests of the instance. */
export function searchMergeRequests(request: SearchRequest): Promise<Page<FoundMergeRequest>> {
  return findMergeRequests(request, instanceRequests)
}

/** Merge requests of a group and its subgroups. */
export function searchGroupMergeRequests(
  request: SearchRequest<GroupSubject>,
): Promise<Page<FoundMergeRequest>> {
  return findMergeRequests(request, groupRequests(request.subject))
}

export function searchProjectMergeRequests(
  request: SearchRequest<ProjectSubject>,
): Promise<Page<FoundMergeRequest>> {
  return findMergeRequests(request, projectRequests(request.subject))
}

async function findMergeRequests(
  request: SearchRequest<unknown>,
  scope: WorkItemListScope,
): Promise<Page<FoundMergeRequest>> {
  const { app, caller } = request
  const found = await searchMergeRequestRows(app.db, itemSearch(request, scope))
  const mergeRequests = await viewMergeRequests(app, caller, found.items, cutBy(request))
  return { ...found, items: mergeRequests.map(presentFoundMergeRequest) }
}

function presentFoundMergeRequest(mergeRequest: MergeRequest): FoundMergeRequest {
  const {
    merged_by: _mergedBy,
    closed_by: _closedBy,
    allow_collaboration: _allowCollaboration,
    squash: _squash,
    subscribed: _subscribed,
    ...found
  } = mergeRequest
  return found
}
