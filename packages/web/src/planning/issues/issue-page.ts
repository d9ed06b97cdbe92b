import type { Issue } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { badge, stateBadge } from '../../platform/design/badge.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, columns } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { livePart } from '../../platform/design/live-part.ts'
import { prose } from '../../platform/design/prose.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'
import { address } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { commentForm } from '../discussions/comment-form.ts'
import { discussionTimeline } from '../discussions/discussion-timeline.ts'
import type { DiscussionView, FailedForm } from '../discussions/discussion-view.ts'
import { issueNoteable, liveItem, type Noteable } from '../discussions/noteable.ts'
import { reactions } from '../discussions/reactions.ts'
import { listDiscussions, readTimeline, redirectToNote } from '../discussions/read-discussions.ts'
import { projectRights } from '../items/project-rights.ts'
import { taskList } from '../items/task-list.ts'
import { mayUpdateIssue } from './issue-access.ts'
import { issueAddress } from './issue-address.ts'
import { issueSidebar } from './issue-sidebar.ts'
import type { IssueView } from './issue-view.ts'

/** The issue of a page as the components of discussions know it. */
export function noteableOf({ client, params }: Pick<PageCall, 'client' | 'params'>): Noteable {
  const { project = '' } = params
  const iid = rowId({ params }, 'iid')
  return issueNoteable(client, {
    project,
    iid,
    address: issueAddress(project, iid),
  })
}

/** `GET /<project>/-/issues/:iid`: an issue with its discussion. */
export function showIssue(call: PageCall): Promise<Reply> {
  return issuePage(call)
}

/** @param failed a form of the discussion that was refused */
export async function issuePage(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const { client, params } = call
  const noteable = noteableOf(call)
  const ids = { projectId: params.project ?? '', issueIid: rowId(call, 'iid') }
  const [viewer, project, issue, discussions, participants, links, closers] = await loadAll([
    call.viewer(),
    loadProject(call),
    client.issues.show({ ...ids, with_labels_details: true }),
    listDiscussions(call, noteable),
    ifPermitted(client.issues.participants(ids)),
    ifPermitted(client.issues.links.list({ ...ids, ...withoutDescriptions })),
    client.issues.relatedMergeRequests({ ...ids, ...withoutDescriptions }),
  ])
  const elsewhere = redirectToNote(noteable, discussions)
  if (elsewhere !== undefined) return elsewhere
  const timeline = await readTimeline(call, noteable, discussions, [
    { text: issue.description, whole: `${noteable.address}/description` },
  ])
  const related = {
    participants: participants?.items ?? [],
    links: links?.items,
    mergeRequests: closers.items,
  }
  const found = { call, project, issue, viewer, related }
  const view = issueView(found, { noteable, page: discussions, texts: timeline, failed })
  return page({
    ...(failed === undefined ? {} : { status: 422 }),
    title: `${issue.title} (#${issue.iid}) · ${project.path_with_namespace}`,
    place: projectPlace(project, 'issues'),
    live: liveItem(noteable, issue, call.query),
    body: issueBody(view, timeline.texts[0] ?? ''),
  })
}

type Found = Pick<IssueView, 'call' | 'project' | 'issue' | 'viewer' | 'related'>

function issueView(
  found: Found,
  discussed: Pick<DiscussionView, 'noteable' | 'page' | 'texts' | 'failed'>,
): IssueView {
  const { call, project, issue, viewer } = found
  const rights = projectRights(project, viewer)
  return {
    ...found,
    rights,
    mayUpdate: mayUpdateIssue(rights, issue, viewer),
    discussion: {
      ...discussed,
      call,
      viewer,
      authorId: issue.author.id,
      mayModerate: rights.mayManage,
      mayComment: rights.maySpeak,
    },
  }
}
/** @param description HTML */
function issueBody(view: IssueView, description: string): Html {
  const { issue, mayUpdate, rights, discussion, project } = view
  const own = issueAddress(project.path_with_namespace, issue.iid)
  const buttons = [
    ...(mayUpdate ? [buttonLink(`${own}/edit`, 'Edit')] : []),
    ...(rights.maySpeak
      ? [buttonLink(`${address(project.path_with_namespace)}/-/issues/new`, 'New issue')]
      : []),
  ]
  const stateEvent = mayUpdate ? stateEventOf(issue) : undefined
  const main = html`${livePart('description', descriptionCard(view, description))}
<section aria-label="Discussion" id="discussion">${discussionTimeline(discussion)}</section>
${commentForm(discussion, { stateEvent, hasQuickActions: true })}`
  const head = html`${heading(html`${issue.title} <span class="muted">#${issue.iid}</span>`, buttons)}
<p class="row">${stateBadge('issue', issue.state)}${issue.confidential && badge('Confidential', 'warning', 'eye-closed')}${
    issue.discussion_locked === true && badge('Locked', 'warning', 'lock')
  }<span class="muted"><a href="${address(issue.author.username)}">${issue.author.name}</a> opened this ${timeAgo(issue.created_at, view.call.now)}${closedText(view)}</span></p>`
  return html`${livePart('header', head)}
${columns(main, issueSidebar(view))}`
}

function closedText({ issue, call }: IssueView): Html | undefined {
  if (issue.closed_at === null) return undefined
  return html`, closed ${timeAgo(issue.closed_at, call.now)}${issue.closed_by !== null && ` by ${issue.closed_by.name}`}`
}

function stateEventOf({ state }: Issue) {
  return state === 'opened'
    ? ({ value: 'close', text: 'Comment and close' } as const)
    : ({ value: 'reopen', text: 'Comment and reopen' } as const)
}

function descriptionCard(view: IssueView, description: string): Html {
  const { issue, discussion, call, mayUpdate } = view
  const { address: own } = discussion.noteable
  const text = description === '' ? html`<p class="muted">No description.</p>` : prose(description)
  return card({
    body: html`${text}${taskList(call, { description: issue.description ?? '', action: `${own}/tasks`, version: issue.updated_at, mayUpdate })}${reactions(
      {
        call,
        address: own,
        awards: discussion.texts.awards,
        mayAward: discussion.mayComment,
      },
    )}`,
  })
}
