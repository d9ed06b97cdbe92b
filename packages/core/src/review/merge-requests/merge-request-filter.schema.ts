import { z } from 'zod'
import { mergeRequestStates } from '../../planning/items/merge-request.schema.ts'
import {
  searchedFields,
  workItemFilters,
  workItemSorting,
} from '../../planning/items/work-item-filter.schema.ts'
import { integer, oneOf, optional, paid, text } from '../../platform/contract/fields.ts'
import { integerFilter, integersFilter } from '../../platform/contract/filter-fields.ts'
import { oneOfList } from '../../platform/contract/list-fields.ts'
import { listedDescriptions } from '../../platform/contract/listed-descriptions.ts'
import { refNameText } from '../../platform/contract/ref-names.ts'

/** Parameters of the list of a project. */
export const MergeRequestFilter = z.object(
  optional({
    state: oneOf([...mergeRequestStates, 'all']),
    ...workItemFilters,
    author_id: integer(),
    assignee_id: integerFilter({ zeroIsNone: true }),
    approver_ids: paid(integersFilter()),
    in: oneOfList(searchedFields),
    source_project_id: integer(),
    source_branch: text(refNameText),
    target_branch: text(refNameText),
    wip: oneOf(['yes', 'no']),
    /** A reduced shape: `SimpleMergeRequest`. */
    view: oneOf(['simple']),
    ...workItemSorting,
    ...listedDescriptions,
  }),
)
export type MergeRequestFilter = z.output<typeof MergeRequestFilter>

/** Parameters of the lists that span projects, where a number does not identify a merge request. */
export const WideMergeRequestFilter = MergeRequestFilter.omit({ iids: true })
