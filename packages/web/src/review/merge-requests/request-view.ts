import {
  AccessLevel,
  type ApprovalState,
  type MergeCheck,
  type MergeRequestApprovals,
  type MergeRequestDetail,
  type Project,
} from '@stithy/core'
import { accessLevel, loadProject } from '../../directory/projects/project-place.ts'
import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { isAdministrator, type PageCall, type Viewer } from '../../platform/pages/page-call.ts'
import { requestParams } from './request-call.ts'

/** A merge request with its project, as the viewer sees it. */
export interface RequestView {
  project: Project
  request: MergeRequestDetail
  /** Null for visitors. */
  viewer: Viewer | null
  /** Whether the viewer may change it: the author, assignees, and developers. */
  mayUpdate: boolean
}

/** What every page of a merge request needs. Three calls at once. */
export async function loadRequest(call: PageCall): Promise<RequestView> {
  const params = requestParams(call)
  const [project, request, viewer] = await loadAll([
    loadProject(call),
    call.client.mergeRequests.show({
      ...params,
      include_rebase_in_progress: true,
      include_diverged_commits_count: true,
      with_labels_details: true,
    }),
    call.viewer(),
  ])
  return { project, request, viewer, mayUpdate: mayUpdate(project, request, viewer) }
}

function mayUpdate(project: Project, request: MergeRequestDetail, viewer: Viewer | null): boolean {
  if (viewer === null || project.archived === true) return false
  const isOwn = [request.author, ...request.assignees].some(({ id }) => id === viewer.id)
  return isOwn || isDeveloper(project, viewer)
}

/** Whether somebody may change the merge requests of others. */
export function isDeveloper(project: Project, viewer: Viewer): boolean {
  return isAdministrator(viewer) || accessLevel(project.permissions) >= AccessLevel.developer
}

/** What a merge depends on, and who has approved. */
export interface MergeState {
  checks: readonly MergeCheck[]
  /** Absent where the instance has no approvals. */
  approvals: MergeRequestApprovals | undefined
  rules: ApprovalState['rules']
}

/** Three calls at once. */
export async function loadMergeState(call: PageCall): Promise<MergeState> {
  const { mergeRequests } = call.client
  const params = requestParams(call)
  const [checks, approvals, state] = await loadAll([
    mergeRequests.mergeChecks.list(params),
    ifPermitted(mergeRequests.approvals.show(params)),
    ifPermitted(mergeRequests.approvalState.show(params)),
  ])
  return { checks, approvals, rules: state?.rules ?? [] }
}
