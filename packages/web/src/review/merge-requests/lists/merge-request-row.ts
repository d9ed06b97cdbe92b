import type { MergeRequest } from '@stithy/core'
import { labelLinks } from '../../../planning/items/item-labels.ts'
import { avatar } from '../../../platform/design/avatar.ts'
import { stateIcon } from '../../../platform/design/badge.ts'
import { icon } from '../../../platform/design/icon.ts'
import { row } from '../../../platform/design/lists.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { address, localPath, withQuery } from '../../../platform/text/addresses.ts'
import { timeAgo } from '../../../platform/text/time.ts'

interface RowContext {
  now: number
  /** Whether the list spans projects, and names them. */
  isWide: boolean
  /** Path of the list. */
  path: string
}

/** A merge request in a list. */
export function mergeRequestRow(request: MergeRequest, { now, isWide, path }: RowContext): Html {
  const href = localPath(request.web_url)
  return row({
    start: requestIcon(request),
    title: html`<a class="title" href="${href}">${request.title}</a> ${labelLinks(request.labels, (title) => withQuery(path, { label: title })).map((each) => html` ${each}`)}`,
    details: html`<span>${isWide ? projectReference(request) : `!${request.iid}`}</span><span>opened ${timeAgo(request.created_at, now)} by <a href="${address(request.author.username)}">${request.author.name}</a></span><span class="nowrap">${icon('git-branch')} into ${request.target_branch}</span>`,
    end: html`${conflict(request)}${comments(request)}${request.assignees.map((user) => avatar(user, 'small'))}`,
  })
}

/** The icon of the state; drafts have their own. */
export function requestIcon({ state, work_in_progress: isDraft }: MergeRequest): Html | undefined {
  return isDraft && state === 'opened'
    ? html`<span class="state">${icon('git-pull-request-draft', 'Draft')}</span>`
    : stateIcon('merge_request', state)
}

/** `group/project!1`, from the address: the API gives the number alone. */
function projectReference({ web_url: url, iid }: MergeRequest): string {
  const path = localPath(url)
  return `${path.slice(1, path.lastIndexOf('/merge_requests/'))}!${iid}`
}

function conflict({ state, merge_status: status }: MergeRequest): Html | undefined {
  return state === 'opened' && status === 'cannot_be_merged'
    ? html`<span class="state warning">${icon('alert', 'Has conflicts')}</span>`
    : undefined
}

function comments({ user_notes_count: count }: MergeRequest): Html | undefined {
  if (count === 0) return undefined
  const name = count === 1 ? '1 comment' : `${count} comments`
  return html`<span class="nowrap" title="${name}">${icon('comment', 'Comments')} ${count}</span>`
}
