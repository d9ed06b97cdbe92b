import { z } from 'zod'
import { boolean, integer, oneOf, optional, paid, text } from '../../platform/contract/fields.ts'
import { integerFilter } from '../../platform/contract/filter-fields.ts'
import { oneOfList, textList } from '../../platform/contract/list-fields.ts'
import { listedDescriptions } from '../../platform/contract/listed-descriptions.ts'
import {
  searchedFields,
  workItemFilters,
  workItemOrders,
  workItemSorting,
} from '../items/work-item-filter.schema.ts'
import { issueStates } from './issue.schema.ts'

/** Filters of issue statistics. */
const filters = {
  ...workItemFilters,
  author_id: integer(),
  author_username: text(),
  assignee_id: integerFilter({ zeroIsNone: true }),
  /** Issues with all of these assignees; the community tier accepts only one. */
  assignee_username: textList(),
  in: oneOfList(searchedFields),
  confidential: boolean(),
}

const { with_labels_details: _, ...counted } = filters

/** Parameters of the issue statistics. */
export const IssueStatisticsFilter = z.object(optional(counted))
export type IssueStatisticsFilter = z.output<typeof IssueStatisticsFilter>

/** Orders of lists of issues; `relative_position` is the one that users give them by hand. */
export const issueOrders = [...workItemOrders, 'relative_position'] as const
export type IssueOrder = (typeof issueOrders)[number]

/** Parameters common to all lists of issues. */
export const IssueFilter = z.object(
  optional({
    state: oneOf([...issueStates, 'all']),
    ...filters,
    weight: paid(integerFilter()),
    ...workItemSorting,
    ...listedDescriptions,
    order_by: oneOf(issueOrders),
  }),
)
export type IssueFilter = z.output<typeof IssueFilter>

/** Filters for lists that span projects; `non_archived` defaults to true. */
const wide = { non_archived: boolean().optional() }

/** Parameters of the lists of a group and of all issues. */
export const WideIssueFilter = IssueFilter.extend(wide)

/** Parameters of the statistics of a group and of all issues. */
export const WideIssueStatisticsFilter = IssueStatisticsFilter.extend(wide)

/** Number of issues by state. */
export const IssueStatistics = z.object({
  statistics: z.object({
    counts: z.object({ all: z.int(), closed: z.int(), opened: z.int() }),
  }),
})
export type IssueStatistics = z.output<typeof IssueStatistics>
