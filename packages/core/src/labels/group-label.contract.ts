import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { optional, text } from '../contract/fields.ts'
import { GroupLabel } from './label.schema.ts'

const tag = 'Labels'
const all = '/groups/:id/labels'
const one = '/groups/:id/labels/:label_id'
const read = { on: 'group', ability: 'read_group_labels' } as const
const admin = { on: 'group', ability: 'admin_group_labels' } as const
const byTitle = 'A label is named by its id or its title.'
const edits = optional({ new_name: text(), color: text(), description: text() })

/** Catalogue: planning, 4.1; groups, Labels. */
export const groupLabelsContract = {
  list: endpoint({
    method: 'GET',
    path: all,
    paginated: true,
    query: z.object(optional({ name: text() })),
    response: { 200: z.array(GroupLabel) },
    auth: read,
    docs: {
      summary: 'List the labels of a group and of those above it, by title',
      tag,
      description: 'With `name`, those of this very title.',
    },
  }),
  show: endpoint({
    method: 'GET',
    path: one,
    response: { 200: GroupLabel },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show a label of a group', tag, description: byTitle },
  }),
  create: endpoint({
    method: 'POST',
    path: all,
    body: z.object({ name: text(), color: text(), description: text().optional() }),
    response: { 201: GroupLabel },
    auth: admin,
    errors: ['conflict', 'validation_failed'],
    docs: {
      summary: 'Create a label in a group',
      tag,
      description: 'The colour is `#rrggbb`, `#rgb` or a name of CSS.',
    },
  }),
  update: endpoint({
    method: 'PUT',
    path: all,
    body: z.object({ name: text(), ...edits }),
    response: { 200: GroupLabel },
    auth: admin,
    errors: ['not_found', 'invalid_parameter', 'validation_failed'],
    docs: { summary: 'Change the label of a name in a group', tag },
  }),
  updateOne: endpoint({
    method: 'PUT',
    path: one,
    body: z.object(edits),
    response: { 200: GroupLabel },
    auth: admin,
    errors: ['not_found', 'invalid_parameter', 'validation_failed'],
    docs: { summary: 'Change a label of a group', tag, description: byTitle },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: all,
    query: z.object({ name: text() }),
    response: { 204: null },
    auth: admin,
    errors: ['not_found'],
    docs: { summary: 'Delete the label of a name from a group', tag },
  }),
  removeOne: endpoint({
    method: 'DELETE',
    path: one,
    response: { 204: null },
    auth: admin,
    errors: ['not_found'],
    docs: { summary: 'Delete a label of a group', tag, description: byTitle },
  }),
  subscribe: endpoint({
    method: 'POST',
    path: `${one}/subscribe`,
    response: { 201: GroupLabel },
    auth: read,
    errors: ['not_found', 'not_modified'],
    docs: { summary: 'Subscribe to a label of a group', tag, description: byTitle },
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: `${one}/unsubscribe`,
    response: { 201: GroupLabel },
    auth: read,
    errors: ['not_found', 'not_modified'],
    docs: { summary: 'Take a subscription to a label of a group back', tag, description: byTitle },
  }),
}
