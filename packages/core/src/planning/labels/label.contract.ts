import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, clearableInteger, optional } from '../../platform/contract/fields.ts'
import { GroupLabel, Label } from './label.schema.ts'
import { labelEndpoints } from './label-endpoints.ts'

/** Maximum priority. */
const maxPriority = 2_147_483_647

/** Labels of a project. */
export const labelsContract = {
  ...labelEndpoints({
    path: '/projects/:id/labels',
    view: Label,
    more: optional({ priority: clearableInteger({ min: 0, max: maxPriority }) }),
    filters: {},
    read: { on: 'project', ability: 'read_labels' },
    subscribe: { on: 'project', ability: 'subscribe_to_labels' },
    admin: { on: 'project', ability: 'admin_labels' },
    a: 'a project',
  }),
  promote: endpoint({
    name: 'labels.promote',
    method: 'PUT',
    path: '/projects/:id/labels/:label_id/promote',
    response: { 200: GroupLabel },
    auth: { on: 'project', ability: 'promote_labels' },
    errors: ['bad_request', 'not_found'],
    docs: {
      summary: 'Promote a project label to a group label',
      description: 'Labels with the same title in other projects of the group are merged into it.',
    },
  }),
}

/** Labels of a group. */
export const groupLabelsContract = labelEndpoints({
  path: '/groups/:id/labels',
  view: GroupLabel,
  more: {},
  filters: optional({ include_ancestor_groups: boolean() }),
  aboutFilters: ' Extension: `include_ancestor_groups`.',
  read: { on: 'group', ability: 'read_group_labels' },
  subscribe: { on: 'group', ability: 'subscribe_to_group_labels' },
  admin: { on: 'group', ability: 'admin_group_labels' },
  a: 'a group',
})
