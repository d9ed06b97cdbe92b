import { projectPlace } from '../../../directory/projects/project-place.ts'
import { type CommentOptions, commentForm } from '../../../planning/discussions/comment-form.ts'
import { discussionTimeline } from '../../../planning/discussions/discussion-timeline.ts'
import type { DiscussionView, FailedForm } from '../../../planning/discussions/discussion-view.ts'
import {
  liveItem,
  mergeRequestNoteable,
  type Noteable,
} from '../../../planning/discussions/noteable.ts'
import { reactions } from '../../../planning/discussions/reactions.ts'
import {
  type DiscussionPage,
  listDiscussions,
  readTimeline,
  redirectToNote,
} from '../../../planning/discussions/read-discussions.ts'
import { projectRights } from '../../../planning/items/project-rights.ts'
import { card, columns } from '../../../platform/design/card.ts'
import { errorSummary } from '../../../platform/design/form-fields.ts'
import { livePart } from '../../../platform/design/live-part.ts'
import { prose } from '../../../platform/design/prose.ts'
import type { FormError } from '../../../platform/forms/submit.ts'
import { html } from '../../../platform/html/html.ts'
import { loadAll } from '../../../platform/pages/load-all.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { page, type Reply } from '../../../platform/pages/reply.ts'
import { textPage } from '../../../platform/pages/text-page.ts'
import { withoutDescriptions } from '../../../platform/pages/without-descriptions.ts'
import { requestAddress } from '../merge-request-address.ts'
import { requestKey, requestParams } from '../request-call.ts'
import { requestHeader } from '../request-header.ts'
import { isDeveloper, loadMergeState, loadRequest, type RequestView } from '../request-view.ts'
import { approvalsCard } from './approvals-card.ts'
import { isBusy, mergeWidget } from './merge-widget.ts'
import { requestSideBar } from './request-side-bar.ts'
import { threadPlace } from './thread-place.ts'

/** What a page that is shown again says of an action that was refused. */
export interface Refused {
  /** Of a form of the discussion. */
  failed?: FailedForm
  /** Of other actions. */
  formErrors?: readonly FormError[]
}

/** Seconds after which the page of a merge request that the server is at work on loads again. */
const reloadAfter = 3

/** `GET /<project>/-/merge_requests/:iid/description`. */
export const showRequestDescription = textPage(async (call) => {
  const { description } = await call.client.mergeRequests.show(requestParams(call))
  return description
})

/** `GET /<project>/-/merge_requests/:iid`: the overview. */
export async function showRequest(call: PageCall, refused: Refused = {}): Promise<Reply> {
  const { client } = call
  const noteable = requestNoteable(call)
  const params = requestParams(call)
  const [view, state, discussions, closes] = await loadAll([
    loadRequest(call),
    loadMergeState(call),
    listDiscussions(call, noteable),
    client.mergeRequests.closesIssues({ ...params, per_page: 20, ...withoutDescriptions }),
  ])
  const moved = redirectToNote(noteable, discussions)
  if (moved !== undefined) return moved
  const { request, project } = view
  const timeline = await readTimeline(call, noteable, discussions, [
    { text: request.description, whole: `${noteable.address}/description` },
  ])
  const talk = discussionView(call, { view, noteable, page: discussions, timeline, refused })
  const { formErrors = [] } = refused
  const reactionsOf = { call, address: noteable.address, awards: timeline.awards }
  const about = html`${card({
    body: html`${request.description ? prose(timeline.texts[0] ?? '') : html`<p class="muted">No description.</p>`}
${reactions({ ...reactionsOf, mayAward: talk.mayComment })}`,
  })}
${approvalsCard(call, view, state)}
${mergeWidget(call, view, state)}`
  const main = html`${livePart('description', about)}
${discussionTimeline(talk)}
${commentForm(talk, commentOptions(view))}`
  const isRefused = refused.failed !== undefined || formErrors.length > 0
  return page({
    status: isRefused ? 422 : 200,
    title: `${request.title} (!${request.iid}) · ${project.path_with_namespace}`,
    place: projectPlace(project, 'merge_requests'),
    // The address of a form that was refused is no page.
    ...(isBusy(request) && !isRefused ? { reloadAfter } : {}),
    live: liveItem(noteable, request, call.query),
    body: html`${errorSummary(formErrors)}${livePart('header', requestHeader(call, view, 'overview'))}
${columns(main, requestSideBar(call, view, closes.items))}`,
  })
}

/**
 * What the components of discussions need of a merge request.
 * @param part the page that shows them, if not the overview: their forms lead back to it
 */
export function requestNoteable(call: PageCall, ...part: readonly string[]): Noteable {
  const key = requestKey(call)
  const { projectId: project, mergeRequestIid: iid } = requestParams(call)
  return mergeRequestNoteable(call.client, { project, iid, address: requestAddress(key, ...part) })
}

interface Talk {
  view: RequestView
  noteable: Noteable
  page: DiscussionPage
  timeline: DiscussionView['texts']
  refused?: Pick<Refused, 'failed'>
}

/** The discussions of a merge request, for the components that show them. */
export function discussionView(
  call: PageCall,
  { view, noteable, page: discussions, timeline, refused = {} }: Talk,
): DiscussionView {
  const { viewer, project, request } = view
  const isPlanner = viewer !== null && isDeveloper(project, viewer)
  const isLocked = request.discussion_locked === true && !view.mayUpdate
  return {
    call,
    noteable,
    page: discussions,
    texts: timeline,
    viewer,
    authorId: request.author.id,
    mayModerate: projectRights(project, viewer).mayManage,
    mayComment: viewer !== null && !isLocked && project.archived !== true,
    mayResolve: isPlanner || viewer?.id === request.author.id,
    above: threadPlace(requestAddress({ project: project.path_with_namespace, iid: request.iid })),
    ...(refused.failed === undefined ? {} : { failed: refused.failed }),
  }
}

function commentOptions({ request, mayUpdate }: RequestView): CommentOptions {
  const hasQuickActions = mayUpdate
  if (!mayUpdate) return { hasQuickActions }
  if (request.state === 'opened') {
    return { hasQuickActions, stateEvent: { value: 'close', text: 'Close merge request' } }
  }
  if (request.state !== 'closed') return { hasQuickActions }
  return { hasQuickActions, stateEvent: { value: 'reopen', text: 'Reopen merge request' } }
}
