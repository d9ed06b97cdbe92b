import { type IssueFilter, type IssueStatisticsFilter, invalidParameter } from '@stithy/core'
import type { WorkItemFilter } from '@stithy/store'
import type { App } from '../../app.ts'
import { tierAllows } from '../../config/config.ts'
import { findEmoji } from '../../emoji/emoji.ts'
import type { Caller } from '../../http/call.ts'

const exclusive = [
  ['author_id', 'author_username'],
  ['assignee_id', 'assignee_username'],
] as const

/**
 * What the parameters of a list or of statistics narrow it to.
 * @throws DomainError `invalid_parameter` where they contradict each other, or need a higher tier
 */
export function issueFilter(
  app: App,
  { facts: { userId } }: Caller,
  query: IssueFilter | IssueStatisticsFilter,
): WorkItemFilter {
  requireSense(app, query)
  const { scope, search, in: searchIn } = query
  return {
    ...listOnly(query),
    labels: query.labels,
    milestone: query.milestone,
    createdById: scope === 'created_by_me' ? (userId ?? 0) : undefined,
    authorId: query.author_id,
    authorUsername: query.author_username || undefined,
    assignedToId: scope === 'assigned_to_me' ? (userId ?? 0) : undefined,
    assigneeId: query.assignee_id,
    assigneeUsernames: query.assignee_username,
    reaction: userId === null ? undefined : canonical(query.my_reaction_emoji),
    iids: query.iids,
    search,
    searchIn,
    createdFrom: query.created_after,
    createdUntil: query.created_before,
    updatedFrom: query.updated_after,
    updatedUntil: query.updated_before,
    confidential: query.confidential,
  }
}

/** Awards are kept by one of the names of their emoji. */
function canonical(reaction: IssueFilter['my_reaction_emoji']): WorkItemFilter['reaction'] {
  if (typeof reaction !== 'object') return reaction
  return { is: findEmoji(reaction.is)?.name ?? reaction.is }
}

/** What the statistics do not take. */
function listOnly(query: IssueFilter | IssueStatisticsFilter): WorkItemFilter {
  const { state, weight }: IssueFilter = query
  return { state: state === 'all' ? undefined : state, weight }
}

function requireSense(app: App, query: IssueFilter | IssueStatisticsFilter): void {
  const isSent = (name: (typeof exclusive)[number][number]) => {
    const value = query[name]
    return value !== undefined && !(Array.isArray(value) && value.length === 0)
  }
  const texts = exclusive
    .filter((names) => names.every(isSent))
    .map((names) => `${names.join(', ')} are mutually exclusive`)
  const { assignee_username: usernames = [] } = query
  if (usernames.length > 1 && !tierAllows(app.config.tier, 'premium')) {
    const found = `${usernames.length}: ${usernames.join(', ')}`
    texts.push(`assignee_username allows one value, but found ${found}`)
  }
  if (texts.length > 0) throw invalidParameter(texts.join(', '))
}
