import type { Epic } from '@stithy/core'
import { stateBadge } from '../../platform/design/badge.ts'
import { actionButton, buttonLink } from '../../platform/design/button.ts'
import { asideSection, card, columns } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { heading } from '../../platform/design/heading.ts'
import { icon } from '../../platform/design/icon.ts'
import { livePart } from '../../platform/design/live-part.ts'
import { prose } from '../../platform/design/prose.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'
import { address, groupAddress, withQuery } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { commentForm } from '../discussions/comment-form.ts'
import { discussionTimeline } from '../discussions/discussion-timeline.ts'
import type { DiscussionView, FailedForm } from '../discussions/discussion-view.ts'
import { epicNoteable, liveItem, type Noteable } from '../discussions/noteable.ts'
import { reactions } from '../discussions/reactions.ts'
import { listDiscussions, readTimeline, redirectToNote } from '../discussions/read-discussions.ts'
import { filterTerm } from '../items/filter-text.ts'
import { labelLinks } from '../items/item-labels.ts'
import { loadOwner, type PlanOwner } from '../items/plan-owner.ts'
import { epicDates } from './epic-row.ts'
import { type EpicTree, epicTree } from './epic-tree.ts'

/** The epic of a page as the components of discussions know it. One call: notes go by the id. */
export async function noteableOf(call: PageCall, known?: Epic): Promise<Noteable> {
  const group = call.params.group ?? ''
  const iid = rowId(call, 'iid')
  const { id } = known ?? (await call.client.epics.show({ groupId: group, epicIid: iid }))
  return epicNoteable(call.client, { group, id, iid, address: groupAddress(group, 'epics', iid) })
}

/** `GET /groups/<group>/-/epics/:iid`: an epic with its tree and discussion. */
export function showEpic(call: PageCall): Promise<Reply> {
  return epicPage(call)
}

/** @param failed a form of the discussion that was refused */
export async function epicPage(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const { client, params } = call
  const ids = { groupId: params.group ?? '', epicIid: rowId(call, 'iid') }
  const [owner, epic, children, issues] = await loadAll([
    loadOwner(call, { project: 'issues', group: 'epics' }),
    client.epics.show(ids),
    client.epics.links.list({ ...ids, ...withoutDescriptions }),
    client.epics.issues.list({ ...ids, ...withoutDescriptions }),
  ])
  const noteable = await noteableOf(call, epic)
  const discussions = await listDiscussions(call, noteable)
  const elsewhere = redirectToNote(noteable, discussions)
  if (elsewhere !== undefined) return elsewhere
  const texts = await readTimeline(call, noteable, discussions, [
    { text: epic.description, whole: `${noteable.address}/description` },
  ])
  const { viewer, rights } = owner
  const discussion: DiscussionView = {
    call,
    noteable,
    page: discussions,
    texts,
    viewer,
    authorId: epic.author.id,
    mayModerate: rights.mayManage,
    mayComment: rights.maySpeak,
    failed,
  }
  const tree = { call, own: noteable.address, owner, children, issues }
  return page({
    ...(failed === undefined ? {} : { status: 422 }),
    title: `${epic.title} (&${epic.iid}) · ${owner.path}`,
    place: owner.place,
    live: liveItem(noteable, epic, call.query),
    body: epicBody({ call, owner, epic, discussion, tree }, texts.texts[0] ?? ''),
  })
}

interface EpicView {
  call: PageCall
  owner: PlanOwner
  epic: Epic
  discussion: DiscussionView
  tree: EpicTree
}

/** @param description HTML */
function epicBody(view: EpicView, description: string): Html {
  const { call, epic, owner, discussion, tree } = view
  const { address: own } = discussion.noteable
  const { rights, viewer } = owner
  const buttons = rights.mayPlan ? [buttonLink(`${own}/edit`, 'Edit')] : []
  const stateEvent =
    epic.state === 'opened'
      ? ({ value: 'close', text: 'Comment and close' } as const)
      : ({ value: 'reopen', text: 'Comment and reopen' } as const)
  const text = description === '' ? html`<p class="muted">No description.</p>` : prose(description)
  const award = reactions({
    call,
    address: own,
    awards: discussion.texts.awards,
    mayAward: viewer !== null,
  })
  const main = html`${livePart('description', html`${card({ body: html`${text}${award}` })}${epicTree(tree)}`)}
<section aria-label="Discussion" id="discussion">${discussionTimeline(discussion)}</section>
${commentForm(discussion, { stateEvent: rights.mayPlan ? stateEvent : undefined, hasQuickActions: true })}`
  const head = html`${heading(html`${epic.title} <span class="muted">&amp;${epic.iid}</span>`, buttons)}
<p class="row">${stateBadge('epic', epic.state)}<span class="muted"><a href="${address(epic.author.username)}">${epic.author.name}</a> opened this ${timeAgo(epic.created_at, call.now)}</span></p>`
  return html`${livePart('header', head)}
${columns(main, epicSidebar(view))}`
}

function epicSidebar({ call, epic, owner, discussion }: EpicView): Html {
  const { address: own } = discussion.noteable
  const { rights, viewer } = owner
  const list = groupAddress(owner.path, 'epics')
  const labels = labelLinks(epic.labels, (title) =>
    withQuery(list, { filter: filterTerm('label', title) }),
  )
  const none = html`<span class="muted">None</span>`
  return html`${asideSection('Dates', epicDates(epic) ?? none)}
${asideSection('Labels', labels.length === 0 ? none : html`<div class="row">${labels}</div>`)}
${progress(epic)}
${
  viewer !== null &&
  asideSection(
    'Notifications',
    actionButton(call, { action: `${own}/todo`, text: html`${icon('checklist')}Add a to-do` }),
  )
}
${
  rights.mayOwn &&
  asideSection(
    'Manage',
    confirmation(call, {
      action: `${own}/delete`,
      text: 'Delete this epic',
      button: 'Delete epic',
      question: 'Its issues and child epics remain.',
      look: 'danger',
    }),
  )
}`
}

/** What is below the epic, on all levels. */
function progress({ descendant_counts: counts, descendant_weight_sum: weights }: Epic) {
  if (counts === undefined) return undefined
  const total = counts.opened_issues + counts.closed_issues
  const epics = counts.opened_epics + counts.closed_epics
  const weight = weights && weights.opened_issues + weights.closed_issues
  return asideSection(
    'Progress',
    html`<label class="small" for="progress">${counts.closed_issues} of ${total} issues closed</label><progress id="progress" max="${Math.max(total, 1)}" value="${counts.closed_issues}"></progress>
<div class="small muted">${counts.closed_epics} of ${epics} epics closed${weights && weight !== 0 && `, weight ${weights.closed_issues} of ${weight} done`}</div>`,
  )
}
