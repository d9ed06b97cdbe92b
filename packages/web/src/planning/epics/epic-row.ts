import type { Epic } from '@stithy/core'
import { stateIcon } from '../../platform/design/badge.ts'
import { icon } from '../../platform/design/icon.ts'
import { row } from '../../platform/design/lists.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { address, localPath } from '../../platform/text/addresses.ts'
import { shortDay, timeAgo } from '../../platform/text/time.ts'
import { labelLinks } from '../items/item-labels.ts'

interface EpicRowOptions {
  now: number
  labelHref: (title: string) => string
  /** What can be done with it in this list. */
  end?: Html | undefined
}

/** An epic in a list. */
export function epicRow(epic: Epic, { now, labelHref, end }: EpicRowOptions): Html {
  const { author } = epic
  return row({
    start: stateIcon('epic', epic.state),
    title: html`<a class="title" href="${localPath(epic.web_url)}">${epic.title}</a> ${labelLinks(epic.labels, labelHref)}`,
    details: html`<span>${groupOf(epic)}&amp;${epic.iid}</span><span>opened ${timeAgo(epic.created_at, now)} by <a href="${address(author.username)}">${author.name}</a></span>${epicDates(epic)}`,
    end,
  })
}

/** The path of the group of an epic. */
export function groupOf({ web_url: url }: Pick<Epic, 'web_url'>): string {
  const path = localPath(url)
  return path.slice('/groups/'.length, path.indexOf('/-/epics/'))
}

/** When an epic starts and is due. */
export function epicDates({ start_date: start, due_date: due }: Epic): Html | undefined {
  if (start === null && due === null) return undefined
  return html`<span>${icon('calendar', 'Dates:')} ${start === null ? 'no start' : shortDay(start)} – ${due === null ? 'no end' : shortDay(due)}</span>`
}
