import type { Issue, MergeRequestDetail } from '@stithy/core'
import { labelLinks } from '../../../planning/items/item-labels.ts'
import { person } from '../../../platform/design/avatar.ts'
import { actionButton } from '../../../platform/design/button.ts'
import { asideSection } from '../../../platform/design/card.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { localPath, projectAddress, withQuery } from '../../../platform/text/addresses.ts'
import { requestAddress } from '../merge-request-address.ts'
import type { RequestView } from '../request-view.ts'

/** What is known of a merge request besides its texts. */
export function requestSideBar(
  call: Pick<PageCall, 'csrfToken'>,
  view: RequestView,
  closes: readonly Issue[],
): Html {
  const { request } = view
  return html`${asideSection('Assignees', people(request))}
${asideSection('Labels', labels(view))}
${asideSection('Milestone', milestone(view))}
${closes.length > 0 && asideSection('Closes when merged', closedIssues(closes))}
${timeSection(request)}
${asideSection('Reference', html`<code>${view.project.path_with_namespace}!${request.iid}</code>`)}
${view.viewer !== null && asideSection('Notifications', ownButtons(call, view))}`
}

const none = html`<span class="muted">None</span>`

function people({ assignees }: MergeRequestDetail): Html {
  if (assignees.length === 0) return none
  return html`<ul class="plain">${assignees.map((user) => html`<li>${person(user)}</li>`)}</ul>`
}

function labels({ request, project }: RequestView): Html {
  if (request.labels.length === 0) return none
  const list = projectAddress(project.path_with_namespace, 'merge_requests')
  return html`<div class="row">${labelLinks(request.labels, (title) => withQuery(list, { label: title }))}</div>`
}

function milestone({ request }: RequestView): Html {
  if (request.milestone === null) return none
  const { title, web_url: url } = request.milestone
  return html`<a href="${localPath(url)}">${title}</a>`
}

function closedIssues(issues: readonly Issue[]): Html {
  return html`<ul class="plain">${issues.map(
    ({ iid, title, web_url: url }) =>
      html`<li><a href="${localPath(url)}">#${iid} ${title}</a></li>`,
  )}</ul>`
}

function timeSection({ time_stats: stats }: MergeRequestDetail): Html | undefined {
  const { human_total_time_spent: spent, human_time_estimate: estimate } = stats
  if (spent === null && estimate === null) return undefined
  return asideSection(
    'Time',
    `${spent ?? 'Nothing'} spent${estimate === null ? '' : ` of ${estimate}`}`,
  )
}

function ownButtons(
  call: Pick<PageCall, 'csrfToken'>,
  { request, project, mayUpdate }: RequestView,
): Html {
  const address = requestAddress({ project: project.path_with_namespace, iid: request.iid })
  const { subscribed } = request
  const subscription =
    mayUpdate &&
    actionButton(call, {
      action: `${address}/subscription`,
      text: subscribed ? 'Unsubscribe' : 'Subscribe',
      values: { subscribed: subscribed ? 0 : 1 },
    })
  return html`<div class="row">${subscription}${actionButton(call, { action: `${address}/todo`, text: 'Add to-do' })}</div>`
}
