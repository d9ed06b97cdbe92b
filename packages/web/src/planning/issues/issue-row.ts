import type { Issue } from '@stithy/core'
import { avatar } from '../../platform/design/avatar.ts'
import { stateIcon } from '../../platform/design/badge.ts'
import { icon } from '../../platform/design/icon.ts'
import type { IconName } from '../../platform/design/icon-paths.ts'
import { row } from '../../platform/design/lists.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { address, localPath, projectOf } from '../../platform/text/addresses.ts'
import { shortDay, timeAgo } from '../../platform/text/time.ts'
import { labelLinks } from '../items/item-labels.ts'

export interface IssueRowOptions {
  now: number
  /** The list with a label alone. */
  labelHref: (title: string) => string
  /** Whether the project of each issue is named. */
  hasProject?: boolean
  /** Whether issues can be selected. */
  isSelectable?: boolean
  /** What can be done with it in this list. */
  end?: Html | undefined
}

/** An issue in a list. */
export function issueRow(issue: Issue, options: IssueRowOptions): Html {
  const { now, labelHref, hasProject = false, isSelectable = false, end } = options
  const select =
    isSelectable &&
    html`<input type="checkbox" name="iids[]" value="${issue.iid}" aria-label="Select #${issue.iid} ${issue.title}">`
  const reference = `${hasProject ? projectOf(localPath(issue.web_url)) : ''}#${issue.iid}`
  return row({
    start: html`${select}${stateIcon('issue', issue.state)}`,
    title: html`${issue.confidential && html`${icon('eye-closed', 'Confidential:')} `}<a class="title" href="${issueHref(issue)}">${issue.title}</a> ${labelLinks(issue.labels, labelHref)}`,
    details: html`<span>${reference}</span><span>opened ${timeAgo(issue.created_at, now)} by <a href="${address(issue.author.username)}">${issue.author.name}</a></span>${plans(issue, now)}`,
    end: html`${figures(issue)}${issue.assignees.map(
      (user) =>
        html`<span title="Assigned to ${user.name}">${avatar(user, 'small')}<span class="hidden">Assigned to ${user.name}</span></span>`,
    )}${end}`,
  })
}

/** The address of an issue on this server. */
export function issueHref(issue: Pick<Issue, 'web_url'>): string {
  return localPath(issue.web_url)
}

function plans({ milestone, due_date: due, weight, state }: Issue, now: number): Html {
  const isLate = due !== null && state === 'opened' && Date.parse(due) + 86_400_000 < now
  return html`${milestone !== null && html`<span>${icon('milestone', 'Milestone')} <a href="${localPath(milestone.web_url)}">${milestone.title}</a></span>`}${
    due !== null &&
    html`<span class="${isLate ? 'state danger' : ''}">${icon('calendar', isLate ? 'Overdue since' : 'Due')} ${shortDay(due)}</span>`
  }${weight !== null && weight !== undefined && html`<span>${icon('law', 'Weight')} ${weight}</span>`}`
}

function figures(issue: Issue): Html {
  const { count, completed_count: done } = issue.task_completion_status
  return html`${count > 0 && figure('tasklist', `${done} of ${count}`, 'tasks done')}${figure('thumbsup', issue.upvotes, 'upvotes')}${figure('git-pull-request', issue.merge_requests_count, 'merge requests')}${figure('comment', issue.user_notes_count, 'comments')}`
}

/** A number with an icon; nothing for zero. */
function figure(name: IconName, value: number | string, noun: string): Html | undefined {
  if (value === 0) return undefined
  return html`<span title="${value} ${noun}">${icon(name)} ${value}<span class="hidden"> ${noun}</span></span>`
}
