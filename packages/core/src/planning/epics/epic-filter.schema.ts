import { z } from 'zod'
import { dateTime } from '../../platform/contract/date-fields.ts'
import { integer, oneOf, optional, text } from '../../platform/contract/fields.ts'
import { labelsFilter } from '../../platform/contract/filter-fields.ts'
import { listedDescriptions } from '../../platform/contract/listed-descriptions.ts'
import { epicStates } from './epic.schema.ts'

/** Parameters of the list of epics. Bounds are inclusive. */
export const EpicFilter = z.object(
  optional({
    author_id: integer(),
    /** Titles of labels of the group and of groups above it; an epic must have all of them. */
    labels: labelsFilter(),
    state: oneOf([...epicStates, 'all']),
    search: text(),
    created_after: dateTime(),
    created_before: dateTime(),
    updated_after: dateTime(),
    updated_before: dateTime(),
    order_by: oneOf(['created_at', 'updated_at']),
    sort: oneOf(['asc', 'desc']),
    ...listedDescriptions,
  }),
)
export type EpicFilter = z.output<typeof EpicFilter>
