import { endpoint } from '../contract/endpoint.ts'
import { clearableInteger, optional } from '../contract/fields.ts'
import { GroupLabel, Label } from './label.schema.ts'
import { labelEndpoints } from './label-endpoints.ts'

/** The largest number that a priority can be. */
const maxPriority = 2_147_483_647

/** Labels of a project (document 2, Labels; catalogue: planning, 4.2). */
export const labelsContract = {
  ...labelEndpoints({
    path: '/projects/:id/labels',
    shown: Label,
    more: optional({ priority: clearableInteger({ min: 0, max: maxPriority }) }),
    read: { on: 'project', ability: 'read_labels' },
    subscribe: { on: 'project', ability: 'subscribe_to_labels' },
    admin: { on: 'project', ability: 'admin_labels' },
    a: 'a project',
  }),
  promote: endpoint({
    method: 'PUT',
    path: '/projects/:id/labels/:label_id/promote',
    response: { 200: GroupLabel },
    auth: { on: 'project', ability: 'promote_labels' },
    errors: ['bad_request', 'not_found'],
    docs: {
      summary: 'Make a label of the project one of its group',
      tag: 'Labels',
      description:
        'Labels of the same title in the other projects of the group become one with it.',
    },
  }),
}

/** Labels of a group (catalogue: planning, 4.1; groups, Labels). */
export const groupLabelsContract = labelEndpoints({
  path: '/groups/:id/labels',
  shown: GroupLabel,
  more: {},
  read: { on: 'group', ability: 'read_group_labels' },
  subscribe: { on: 'group', ability: 'subscribe_to_group_labels' },
  admin: { on: 'group', ability: 'admin_group_labels' },
  a: 'a group',
})
