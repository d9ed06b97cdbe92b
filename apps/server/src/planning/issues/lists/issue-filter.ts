import { type IssueFilter, type IssueStatisticsFilter, invalidParameter } from '@stithy/core'
import type { WorkItemFilter } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { tierAllows } from '../../../platform/config/config.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { commonFilter } from '../../items/lists/item-request.ts'

/**
 * Builds the filter of a list or of statistics from the query parameters.
 * @throws DomainError `invalid_parameter` if they need a higher tier
 */
export function issueFilter(
  app: App,
  caller: Caller,
  query: IssueFilter | IssueStatisticsFilter,
): WorkItemFilter {
  validateFilters(app, query)
  return {
    ...listOnly(query),
    ...commonFilter(caller, query),
    authorUsername: query.author_username || undefined,
    assigneeUsernames: query.assignee_username,
    confidential: query.confidential,
  }
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
