import type { NotifiedEvent } from '@stithy/core'
import type { Item } from '../../planning/items/item.ts'
import { referenceOf } from './item-headers.ts'

const typeNames = {
  issue: 'issue',
  merge_request: 'merge request',
  snippet: 'snippet',
  commit: 'commit',
  epic: 'epic',
} as const satisfies Record<Item['type'], string>

/** What a notification says, and the Markdown that it quotes. */
export interface NotificationText {
  /** Empty if the quoted text speaks for itself. */
  sentence: string
  quoted: string
}

/** The name of a user, by id. */
export type NameOf = (userId: number) => string

/** Puts a notification about an item into words. */
export function notificationText(
  event: NotifiedEvent,
  item: Item,
  {
    actor,
    nameOf,
    noteBody,
    previousAssigneeIds = [],
    newLabels = [],
    namesAuthor,
  }: {
    actor: string
    nameOf: NameOf
    noteBody: string | undefined
    previousAssigneeIds?: readonly number[] | undefined
    /** Titles of labels that it has now, and had not before. */
    newLabels?: readonly string[] | undefined
    /** Whether to name the author of a quoted text, who is the sender of the mail as well. */
    namesAuthor: boolean
  },
): NotificationText {
  const name = `${typeNames[item.type]} ${referenceOf(item)}`
  const named = (sentence: string, quoted: string) => ({
    sentence: namesAuthor ? sentence : '',
    quoted,
  })
  const plain = (sentence: string) => ({ sentence, quoted: '' })
  switch (event) {
    case 'new_note':
      return named(`${actor} commented on ${name}:`, noteBody ?? '')
    case 'new_issue':
    case 'new_merge_request':
    case 'new_epic':
      return withDetails(named(`${actor} opened ${name}:`, descriptionOf(item)), item, nameOf)
    case 'issue_due': {
      const by = namesAuthor ? `, opened by ${actor},` : ''
      const sentence = `Issue ${referenceOf(item)}${by} is due on ${dueDateOf(item)}.`
      return withDetails({ sentence, quoted: descriptionOf(item) }, item, nameOf)
    }
    case 'new_mention':
      return { sentence: `${actor} mentioned you in ${name}:`, quoted: descriptionOf(item) }
    case 'reassign_issue':
    case 'reassign_merge_request':
      return plain(reassigned(item, previousAssigneeIds, nameOf))
    case 'relabel':
      return plain(`${actor} labeled ${name}: ${newLabels.join(', ')}.`)
    case 'close_epic':
    case 'close_issue':
    case 'close_merge_request':
      return plain(`${actor} closed ${name}.`)
    case 'reopen_epic':
    case 'reopen_issue':
    case 'reopen_merge_request':
      return plain(`${actor} reopened ${name}.`)
    case 'merge_merge_request':
      return plain(`${actor} merged ${name}.`)
    case 'push_to_merge_request':
      return plain(`${actor} pushed new commits to ${name}.`)
    default:
      return plain(`${actor} changed ${name}.`)
  }
}

function descriptionOf(item: Item): string {
  return item.type === 'commit' ? '' : (item.row.description ?? '')
}

function dueDateOf(item: Item): string {
  return item.type === 'issue' ? (item.row.dueDate ?? '') : ''
}

/** Says who is assigned, and which branches a merge request is about. */
function withDetails({ sentence, quoted }: NotificationText, item: Item, nameOf: NameOf) {
  if (item.type !== 'issue' && item.type !== 'merge_request') return { sentence, quoted }
  const { assigneeIds } = item
  const lines = [
    sentence,
    item.type === 'merge_request' && `Branch: ${item.row.sourceBranch} to ${item.row.targetBranch}`,
    assigneeIds.length > 0 && `Assigned to ${listed(assigneeIds, nameOf)}`,
  ]
  return { sentence: lines.filter(Boolean).join('\n'), quoted }
}

function reassigned(item: Item, before: readonly number[], nameOf: NameOf): string {
  const after = item.type === 'issue' || item.type === 'merge_request' ? item.assigneeIds : []
  const from = before.length === 0 ? '' : ` from ${listed(before, nameOf)}`
  return `The assignee changed${from} to ${after.length === 0 ? 'nobody' : listed(after, nameOf)}.`
}

function listed(userIds: readonly number[], nameOf: NameOf): string {
  return userIds.map(nameOf).join(', ')
}
