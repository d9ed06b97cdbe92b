import { discussionRoutes } from '../../planning/discussions/discussion-routes.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import {
  groupPage,
  instancePage,
  projectAction,
  projectPage,
} from '../../platform/routing/route.ts'
import { applySuggestion, changeViewed, startLineThread } from './changes/change-actions.ts'
import { showChanges } from './changes/changes-page.ts'
import { sendRequestDiff } from './changes/request-diff.ts'
import { showEditRequest, updateRequest } from './forms/edit-request-page.ts'
import { createRequest, showNewRequest } from './forms/new-request-page.ts'
import { mayCreateRequest } from './forms/request-branches.ts'
import {
  showAssignedRequests,
  showCreatedRequests,
  showGroupRequests,
  showProjectRequests,
  showReviewRequests,
} from './lists/merge-request-list-pages.ts'
import { requestNoteable, showRequest, showRequestDescription } from './overview/request-page.ts'
import {
  addRequestTodo,
  approveRequest,
  cancelAutoMerge,
  changeRequestDraft,
  changeRequestState,
  changeRequestSubscription,
  mergeRequest,
  rebaseRequest,
  setRequestState,
  unapproveRequest,
} from './request-actions.ts'
import { requestParams } from './request-call.ts'
import { showRequestCommits } from './request-commits-page.ts'
import { showRequestPipelines } from './request-pipelines-page.ts'

const mayUpdate = async (call: PageCall) => call.permits.mergeRequests.update(requestParams(call))

const one = 'merge_requests/:iid'

export const mergeRequestRoutes = [
  instancePage('dashboard/merge_requests', showAssignedRequests),
  instancePage('dashboard/merge_requests/review', showReviewRequests),
  instancePage('dashboard/merge_requests/created', showCreatedRequests),
  groupPage('merge_requests', showGroupRequests),
  projectPage('merge_requests', showProjectRequests),
  projectAction('merge_requests', createRequest),
  projectPage('merge_requests/new', permitted(mayCreateRequest, showNewRequest)),
  projectPage(one, (call) => sendRequestDiff(call) ?? showRequest(call)),
  projectAction(one, updateRequest),
  projectPage(`${one}/edit`, permitted(mayUpdate, showEditRequest)),
  projectPage(`${one}/commits`, showRequestCommits),
  projectPage(`${one}/pipelines`, showRequestPipelines),
  projectAction(`${one}/merge`, mergeRequest),
  projectAction(`${one}/cancel_auto_merge`, cancelAutoMerge),
  projectAction(`${one}/rebase`, rebaseRequest),
  projectAction(`${one}/approve`, approveRequest),
  projectAction(`${one}/unapprove`, unapproveRequest),
  projectAction(`${one}/state`, changeRequestState),
  projectAction(`${one}/draft`, changeRequestDraft),
  projectAction(`${one}/subscription`, changeRequestSubscription),
  projectAction(`${one}/todo`, addRequestTodo),
  projectPage(`${one}/diffs`, (call) => showChanges(call)),
  projectAction(`${one}/diffs/lines`, startLineThread),
  projectAction(`${one}/diffs/viewed`, changeViewed),
  projectAction(`${one}/diffs/suggestions/:suggestion_id`, applySuggestion),
  ...discussionRoutes(projectAction, projectPage, `${one}/diffs`, {
    noteable: (call) => requestNoteable(call, 'diffs'),
    show: (call, failed) => showChanges(call, { failed }),
  }),
  projectPage(`${one}/description`, showRequestDescription),
  ...discussionRoutes(projectAction, projectPage, one, {
    noteable: (call) => requestNoteable(call),
    show: (call, failed) => showRequest(call, { failed }),
    changeState: setRequestState,
  }),
]
