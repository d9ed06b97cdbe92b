import { z } from 'zod'
import {
  boolean,
  integer,
  oneOf,
  oneOfList,
  optional,
  paid,
  text,
  textList,
} from '../contract/fields.ts'
import {
  searchedFields,
  soughtInteger,
  workItemFilters,
  workItemSorting,
} from '../work-items/work-item-filter.schema.ts'
import { issueStates } from './issue.schema.ts'

/** What issues are counted by (catalogue: issues, 2.6). */
const filters = {
  ...workItemFilters,
  author_id: integer(),
  author_username: text(),
  assignee_id: soughtInteger({ zeroIsNone: true }),
  /** All of them; one alone in the community tier. */
  assignee_username: textList(),
  in: oneOfList(searchedFields),
  confidential: boolean(),
}

const { with_labels_details: _, ...counted } = filters

/** The parameters of the issue statistics. */
export const IssueStatisticsFilter = z.object(optional(counted))
export type IssueStatisticsFilter = z.output<typeof IssueStatisticsFilter>

/** The parameters of every list of issues (document 2, Issues; catalogue: issues, 2.0). */
export const IssueFilter = z.object(
  optional({
    state: oneOf([...issueStates, 'all']),
    ...filters,
    weight: paid(soughtInteger()),
    ...workItemSorting,
  }),
)
export type IssueFilter = z.output<typeof IssueFilter>

/** Lists of more than one project leave archived ones out, unless told otherwise. */
const wide = { non_archived: boolean().optional() }

/** The parameters of the lists of a group and of everything. */
export const WideIssueFilter = IssueFilter.extend(wide)

/** The parameters of the statistics of a group and of everything. */
export const WideIssueStatisticsFilter = IssueStatisticsFilter.extend(wide)

/** How many issues there are (catalogue: issues, 2.6). */
export const IssueStatistics = z.object({
  statistics: z.object({
    counts: z.object({ all: z.int(), closed: z.int(), opened: z.int() }),
  }),
})
export type IssueStatistics = z.output<typeof IssueStatistics>
