import { groupPlace, loadGroup } from '../../../directory/groups/group-place.ts'
import { loadProject, projectPlace } from '../../../directory/projects/project-place.ts'
import { buttonLink } from '../../../platform/design/button.ts'
import { heading } from '../../../platform/design/heading.ts'
import { tabs } from '../../../platform/design/navigation.ts'
import { html } from '../../../platform/html/html.ts'
import { loadAll } from '../../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../../platform/pages/reply.ts'
import { signInAddress } from '../../../platform/pages/sign-in-address.ts'
import { groupAddress, projectAddress } from '../../../platform/text/addresses.ts'
import { listParameters } from './merge-request-filters.ts'
import { mergeRequestList } from './merge-request-list.ts'

const pushHint = 'Push a branch, then ask others to review it.'

/** `GET /<project>/-/merge_requests`: those into a project. */
export async function showProjectRequests(call: PageCall): Promise<Reply> {
  const path = projectPath(call)
  const [project, requests] = await loadAll([
    loadProject(call),
    listParameters(call).then((parameters) =>
      call.client.mergeRequests.list({ projectId: path, ...parameters }),
    ),
  ])
  const self = projectAddress(path, 'merge_requests')
  const create =
    project.archived === true
      ? undefined
      : buttonLink(`${self}/new`, 'New merge request', 'primary')
  return page({
    title: `Merge requests · ${path}`,
    place: projectPlace(project, 'merge_requests'),
    body: html`${heading('Merge requests', create)}
${mergeRequestList(call, { path: self, requests, isWide: false, hint: pushHint, action: create })}`,
  })
}

/** `GET /groups/<group>/-/merge_requests`: those into the projects of a group. */
export async function showGroupRequests(call: PageCall): Promise<Reply> {
  const path = call.params.group ?? ''
  const [group, requests] = await loadAll([
    loadGroup(call),
    listParameters(call).then((parameters) =>
      call.client.mergeRequests.list({ groupId: path, ...parameters }),
    ),
  ])
  const self = groupAddress(path, 'merge_requests')
  return page({
    title: `Merge requests · ${group.full_path}`,
    place: groupPlace(group, 'merge_requests'),
    body: html`${heading('Merge requests')}
${mergeRequestList(call, { path: self, requests, isWide: true, hint: 'Those into the projects of this group will be listed here.' })}`,
  })
}

const dashboard = '/dashboard/merge_requests'

const views = {
  assigned: { text: 'Assigned to you', path: dashboard, hint: 'Nobody waits for you.' },
  review: {
    text: 'Review requests',
    path: `${dashboard}/review`,
    hint: 'Those that you are asked to approve will be listed here.',
  },
  created: { text: 'Created by you', path: `${dashboard}/created`, hint: pushHint },
} as const
type View = keyof typeof views

/** `GET /dashboard/merge_requests`: those of the viewer, of all projects. */
export const showAssignedRequests = (call: PageCall) => showDashboard(call, 'assigned')
export const showReviewRequests = (call: PageCall) => showDashboard(call, 'review')
export const showCreatedRequests = (call: PageCall) => showDashboard(call, 'created')

async function showDashboard(call: PageCall, view: View): Promise<Reply> {
  const viewer = await call.viewer()
  if (viewer === null) return redirect(signInAddress(call))
  const mine = {
    assigned: { scope: 'assigned_to_me' as const },
    review: { scope: 'all' as const, approver_ids: [viewer.id] },
    created: { scope: 'created_by_me' as const },
  }
  const requests = await call.client.mergeRequests.list({
    ...(await listParameters(call)),
    ...mine[view],
  })
  const { path, hint } = views[view]
  const links = Object.entries(views).map(([name, { text, path: href }]) => ({
    text,
    href,
    isCurrent: name === view,
  }))
  return page({
    title: 'Your merge requests',
    body: html`${heading('Merge requests')}
${tabs('Yours', links)}
${mergeRequestList(call, { path, requests, isWide: true, hint })}`,
  })
}
