import type { NoteRow } from '@stithy/store'
import type { Item } from '../../planning/items/item.ts'
import type { Config } from '../../platform/config/config.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { mailHost } from '../../platform/mail/mail-layout.ts'
import type { NotificationReason } from '../notifications/notification.ts'

/** The name of an item's type in headers, as existing filters of mail have it. */
const typeNames = {
  issue: 'Issue',
  merge_request: 'MergeRequest',
  snippet: 'Snippet',
  commit: 'Commit',
  epic: 'Epic',
} as const satisfies Record<Item['type'], string>

/** `#1`, `!1`, `$1`, `&1`, or the short hash of a commit. */
export function referenceOf(item: Item): string {
  switch (item.type) {
    case 'issue':
      return `#${item.row.iid}`
    case 'merge_request':
      return `!${item.row.iid}`
    case 'snippet':
      return `$${item.row.id}`
    case 'epic':
      return `&${item.row.iid}`
    case 'commit':
      return item.commitId.slice(0, 8)
  }
}

/** `Project | Title (#1)`. */
export function subjectOf(item: Item): string {
  const title = item.type === 'commit' ? item.title : item.row.title
  const name = item.type === 'epic' ? item.group.row.name : item.project?.row.name
  return `${name === undefined ? '' : `${name} | `}${title} (${referenceOf(item)})`
}

/** The page of an item, or of one of its notes. */
export function itemUrl(config: Config, item: Item, noteId?: number): string {
  const url = webUrl(config, pathOf(item))
  if (noteId === undefined) return url
  // The comments of a commit are on one page.
  const query = item.type === 'commit' ? '' : `?note_id=${noteId}`
  return `${url}${query}#note_${noteId}`
}

function pathOf(item: Item): string {
  if (item.type === 'epic') return `groups/${item.group.row.fullPath}/-/epics/${item.row.iid}`
  const place = item.project === undefined ? '' : `${item.project.row.fullPath}/`
  switch (item.type) {
    case 'issue':
      return `${place}issues/${item.row.iid}`
    case 'merge_request':
      return `${place}merge_requests/${item.row.iid}`
    case 'snippet':
      return `${place}snippets/${item.row.id}`
    case 'commit':
      return `${place}commit/${item.commitId}`
  }
}

/** The id of the first message about an item, to which all others reply. */
export function threadId(config: Config, item: Item): string {
  const id = item.type === 'commit' ? item.commitId : item.row.id
  return `${item.type}_${id}@${mailHost(config)}`
}

/** Headers by which mail is filtered, each under the names `X-GitLab-` and `X-Stithy-`. */
export function itemHeaders(
  config: Config,
  item: Item,
  { note, reason }: { note: NoteRow | undefined; reason: NotificationReason | undefined },
): Record<string, string> {
  const values: Record<string, string> = { ...idHeaders(item), ...placeHeaders(item) }
  if (note !== undefined) values['Discussion-ID'] = note.discussionId
  if (reason !== undefined) values.NotificationReason = reason
  const place = item.type === 'epic' ? item.group : item.project
  const headers = vendorHeaders(values)
  if (place !== undefined) headers['List-Id'] = listId(config, place.row)
  return headers
}

/** Each header under the names `X-GitLab-` and `X-Stithy-`. */
export function vendorHeaders(values: Readonly<Record<string, string>>): Record<string, string> {
  const named = ['GitLab', 'Stithy'].flatMap((vendor) =>
    Object.entries(values).map(([name, value]) => [`X-${vendor}-${name}`, value]),
  )
  return Object.fromEntries(named)
}

function idHeaders(item: Item): Record<string, string> {
  const name = typeNames[item.type]
  if (item.type === 'commit') return { [`${name}-ID`]: item.commitId }
  const iid = item.type === 'snippet' ? {} : { [`${name}-IID`]: String(item.row.iid) }
  return { [`${name}-ID`]: String(item.row.id), ...iid }
}

function placeHeaders(item: Item): Record<string, string> {
  if (item.type === 'epic') {
    const { id, fullPath } = item.group.row
    return { 'Group-Id': String(id), 'Group-Path': fullPath }
  }
  if (item.project === undefined) return {}
  const { id, name, fullPath } = item.project.row
  return { Project: name, 'Project-Id': String(id), 'Project-Path': fullPath }
}

/** `group/project <1.project.group.host>`, of a project or group (RFC 2919). */
export function listId(config: Config, { id, fullPath }: { id: number; fullPath: string }): string {
  const labels = fullPath.split('/').toReversed().join('.')
  return `${fullPath} <${id}.${labels}.${mailHost(config)}>`
}
