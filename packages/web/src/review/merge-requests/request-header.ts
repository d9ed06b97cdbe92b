import { withoutWorkInProgress } from '@stithy/core'
import { badge, stateBadge } from '../../platform/design/badge.ts'
import { actionButton, buttonLink } from '../../platform/design/button.ts'
import { heading } from '../../platform/design/heading.ts'
import { type Tab, tabs } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { address, projectAddress } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { type RequestKey, requestAddress } from './merge-request-address.ts'
import type { RequestView } from './request-view.ts'

/** The pages of a merge request. */
export type RequestTab = 'overview' | 'commits' | 'pipelines' | 'diffs'

/** What stands above each page of a merge request: title, state, branches and tabs. */
export function requestHeader(
  call: Pick<PageCall, 'csrfToken' | 'now'>,
  view: RequestView,
  current: RequestTab,
): Html {
  const { request, project } = view
  const key = { project: project.path_with_namespace, iid: request.iid }
  const title = request.work_in_progress ? withoutWorkInProgress(request.title) : request.title
  return html`${heading(html`${title || request.title} <span class="muted">!${request.iid}</span>`, headerButtons(call, view, key))}
<p class="row">${stateBadge('merge_request', request.state)}${request.work_in_progress && badge('Draft', '', 'git-pull-request-draft')}
<span class="muted"><a href="${address(request.author.username)}">${request.author.name}</a> opened this ${timeAgo(request.created_at, call.now)}: ${branches(view)}</span></p>
${tabs('Merge request', requestTabs(view, key, current))}`
}

function headerButtons(
  call: Pick<PageCall, 'csrfToken'>,
  { request, mayUpdate }: RequestView,
  key: RequestKey,
): Html[] {
  if (!mayUpdate) return []
  const edit = buttonLink(requestAddress(key, 'edit'), 'Edit')
  const { state, work_in_progress: isDraft } = request
  if (state !== 'opened' && state !== 'closed') return [edit]
  const values = { event: state === 'opened' ? 'close' : 'reopen' }
  const text = state === 'opened' ? 'Close' : 'Reopen'
  const change = actionButton(call, { action: requestAddress(key, 'state'), text, values })
  return state === 'opened' ? [draftButton(call, isDraft, key), edit, change] : [edit, change]
}

function draftButton(call: Pick<PageCall, 'csrfToken'>, isDraft: boolean, key: RequestKey): Html {
  return actionButton(call, {
    action: requestAddress(key, 'draft'),
    text: isDraft ? 'Mark as ready' : 'Mark as draft',
    values: { draft: isDraft ? 0 : 1 },
  })
}

/** `topic into main`, each a link to its files. */
function branches({ request, project }: RequestView): Html {
  const path = project.path_with_namespace
  const target = html`<a href="${projectAddress(path, 'tree', request.target_branch)}"><code>${request.target_branch}</code></a>`
  if (request.source_project_id === request.target_project_id) {
    return html`<a href="${projectAddress(path, 'tree', request.source_branch)}"><code>${request.source_branch}</code></a> into ${target}`
  }
  const from = request.source_project_id === null ? 'a deleted fork' : 'a fork'
  return html`<code>${request.source_branch}</code> of ${from} into ${target}`
}

function requestTabs({ request }: RequestView, key: RequestKey, current: RequestTab): Tab[] {
  const count = Number.parseInt(request.changes_count, 10)
  const all: (Tab & { name: RequestTab })[] = [
    {
      name: 'overview',
      text: 'Overview',
      href: requestAddress(key),
      icon: 'comment-discussion',
      count: request.user_notes_count,
    },
    { name: 'commits', text: 'Commits', href: requestAddress(key, 'commits'), icon: 'git-commit' },
    {
      name: 'pipelines',
      text: 'Pipelines',
      href: requestAddress(key, 'pipelines'),
      icon: 'check-circle',
    },
    {
      name: 'diffs',
      text: 'Changes',
      href: requestAddress(key, 'diffs'),
      icon: 'diff',
      count: Number.isNaN(count) ? undefined : count,
    },
  ]
  const shown = all.filter(({ name }) => name !== 'pipelines' || request.pipeline !== undefined)
  return shown.map(({ name, ...tab }) => ({ ...tab, isCurrent: name === current }))
}
