import type { IssueFilter, MergeRequestFilter } from '@stithy/core'
import type { ListRequest, WorkItemFilter } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { dayOf } from '../../../platform/calendar/day.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { findEmoji } from '../../../platform/text/emoji/emoji.ts'

/** The parameters that lists of issues and of merge requests, and issue statistics, share. */
type CommonParameters = Pick<
  IssueFilter & MergeRequestFilter,
  | 'assignee_id'
  | 'author_id'
  | 'created_after'
  | 'created_before'
  | 'iids'
  | 'in'
  | 'labels'
  | 'milestone'
  | 'my_reaction_emoji'
  | 'scope'
  | 'search'
  | 'updated_after'
  | 'updated_before'
>

/** Builds the part of a filter that comes from the common parameters. */
export function commonFilter(
  { facts: { userId } }: Caller,
  query: CommonParameters,
): WorkItemFilter {
  const { scope } = query
  return {
    labels: query.labels,
    milestone: query.milestone,
    createdById: scope === 'created_by_me' ? (userId ?? 0) : undefined,
    authorId: query.author_id,
    assignedToId: scope === 'assigned_to_me' ? (userId ?? 0) : undefined,
    assigneeId: query.assignee_id,
    reaction: userId === null ? undefined : canonical(query.my_reaction_emoji),
    iids: query.iids,
    search: query.search,
    searchIn: query.in,
    createdFrom: query.created_after,
    createdUntil: query.created_before,
    updatedFrom: query.updated_after,
    updatedUntil: query.updated_before,
  }
}

/** Resolves aliases: awards are stored under the canonical emoji name. */
function canonical(reaction: CommonParameters['my_reaction_emoji']): WorkItemFilter['reaction'] {
  if (typeof reaction !== 'object') return reaction
  return { is: findEmoji(reaction.is)?.name ?? reaction.is }
}

type Sorting = Pick<IssueFilter, 'order_by' | 'sort'>

/** The request for a list as the caller may see it today; newest first by default. */
export function itemRequest<Scope>(
  app: App,
  caller: Caller,
  list: { scope: Scope; filter: WorkItemFilter },
  { order_by: orderBy = 'created_at', sort = 'desc' }: Sorting,
): ListRequest<Scope> {
  return { ...list, caller: caller.facts, today: dayOf(app.now()), orderBy, sort }
}
