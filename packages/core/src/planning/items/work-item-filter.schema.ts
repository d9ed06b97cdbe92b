import { z } from 'zod'
import { dateTime } from '../../platform/contract/date-fields.ts'
import { boolean, loose, oneOf, text } from '../../platform/contract/fields.ts'
import { labelsFilter, textFilter } from '../../platform/contract/filter-fields.ts'
import { integerList } from '../../platform/contract/list-fields.ts'

/** The texts that are searched, as `title,description`. */
export const searchedFields = ['title', 'description'] as const
export type SearchedField = (typeof searchedFields)[number]

const scopes = ['created_by_me', 'assigned_to_me', 'all'] as const
export type WorkItemScope = (typeof scopes)[number]

/** Also accepts the hyphenated values of old versions. */
export function workItemScope(): z.ZodType<WorkItemScope, WorkItemScope> {
  return loose(
    (value) => (typeof value === 'string' ? value.replaceAll('-', '_') : value),
    z.enum(scopes),
    { type: 'string', enum: scopes },
    true,
  )
}

export const workItemOrders = ['created_at', 'updated_at'] as const
export type WorkItemOrder = (typeof workItemOrders)[number]

/** Sort parameters of issue and merge request lists. */
export const workItemSorting = {
  order_by: oneOf(workItemOrders),
  sort: oneOf(['asc', 'desc']),
}

/** Filters common to issue and merge request lists. Bounds are inclusive. */
export const workItemFilters = {
  labels: labelsFilter(),
  with_labels_details: boolean(),
  milestone: textFilter(),
  scope: workItemScope(),
  my_reaction_emoji: textFilter(),
  iids: integerList(),
  search: text(),
  created_after: dateTime(),
  created_before: dateTime(),
  updated_after: dateTime(),
  updated_before: dateTime(),
}
