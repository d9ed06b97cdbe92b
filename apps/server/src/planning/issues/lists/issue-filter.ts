import { type IssueFilter, type IssueStatisticsFilter, invalidParameter } from '@stithy/core'
import type { WorkItemFilter } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { tierAllows } from '../../../platform/config/config.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { findEmoji } from '../../../platform/text/emoji/emoji.ts'

/**
 * Builds the filter of a list or of statistics from the query parameters.
 * @throws DomainError `invalid_parameter` if they need a higher tier
 */
export function issueFilter(
  app: App,
  { facts: { userId } }: Caller,
  query: IssueFilter | IssueStatisticsFilter,
): WorkItemFilter {
  validateFilters(app, query)
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

/** Resolves aliases: awards are stored under the canonical emoji name. */
function canonical(reaction: IssueFilter['my_reaction_emoji']): WorkItemFilter['reaction'] {
  if (typeof reaction !== 'object') return reaction
  return { is: findEmoji(reaction.is)?.name ?? reaction.is }
}

/** The filters that statistics do not take. */
function listOnly(query: IssueFilter | IssueStatisticsFilter): WorkItemFilter {
  const { state, weight }: IssueFilter = query
  return { state: state === 'all' ? undefined : state, weight }
}

function validateFilters(app: App, query: IssueFilter | IssueStatisticsFilter): void {
  const { assignee_username: usernames = [] } = query
  if (usernames.length <= 1 || tierAllows(app.config.tier, 'premium')) return
  const found = `${usernames.length}: ${usernames.join(', ')}`
  throw invalidParameter(`assignee_username allows one value, but found ${found}`)
}
