import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { clearableInteger, optional, text } from '../contract/fields.ts'
import { GroupLabel, Label } from './label.schema.ts'

const tag = 'Labels'
const all = '/projects/:id/labels'
const one = '/projects/:id/labels/:label_id'
const read = { on: 'project', ability: 'read_labels' } as const
const admin = { on: 'project', ability: 'admin_labels' } as const
const byTitle = 'A label is named by its id or its title.'

/** The largest number that a priority can be. */
const maxPriority = 2_147_483_647
const priority = clearableInteger({ min: 0, max: maxPriority })
const edits = optional({ new_name: text(), color: text(), description: text(), priority })

/** Document 2, Labels; catalogue: planning, 4.2. */
export const labelsContract = {
  list: endpoint({
    method: 'GET',
    path: all,
    paginated: true,
    query: z.object(optional({ name: text() })),
    response: { 200: z.array(Label) },
    auth: read,
    docs: {
      summary: 'List the labels of a project and of the groups above it, by title',
      tag,
      description: 'With `name`, those of this very title.',
    },
  }),
  show: endpoint({
    method: 'GET',
    path: one,
    response: { 200: Label },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show a label', tag, description: byTitle },
  }),
  create: endpoint({
    method: 'POST',
    path: all,
    body: z.object({
      name: text(),
      color: text(),
      description: text().optional(),
      priority: priority.optional(),
    }),
    response: { 201: Label },
    auth: admin,
    errors: ['conflict', 'validation_failed'],
    docs: {
      summary: 'Create a label',
      tag,
      description: 'The colour is `#rrggbb`, `#rgb` or a name of CSS.',
    },
  }),
  update: endpoint({
    method: 'PUT',
    path: all,
    body: z.object({ name: text(), ...edits }),
    response: { 200: Label },
    auth: admin,
    errors: ['not_found', 'invalid_parameter', 'validation_failed'],
    docs: { summary: 'Change the label of a name', tag },
  }),
  updateOne: endpoint({
    method: 'PUT',
    path: one,
    body: z.object(edits),
    response: { 200: Label },
    auth: admin,
    errors: ['not_found', 'invalid_parameter', 'validation_failed'],
    docs: { summary: 'Change a label', tag, description: byTitle },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: all,
    query: z.object({ name: text() }),
    response: { 204: null },
    auth: admin,
    errors: ['not_found'],
    docs: { summary: 'Delete the label of a name', tag },
  }),
  removeOne: endpoint({
    method: 'DELETE',
    path: one,
    response: { 204: null },
    auth: admin,
    errors: ['not_found'],
    docs: { summary: 'Delete a label', tag, description: byTitle },
  }),
  subscribe: endpoint({
    method: 'POST',
    path: `${one}/subscribe`,
    response: { 201: Label },
    auth: read,
    errors: ['not_found', 'not_modified'],
    docs: { summary: 'Subscribe to a label', tag, description: byTitle },
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: `${one}/unsubscribe`,
    response: { 201: Label },
    auth: read,
    errors: ['not_found', 'not_modified'],
    docs: { summary: 'Take a subscription to a label back', tag, description: byTitle },
  }),
  promote: endpoint({
    method: 'PUT',
    path: `${one}/promote`,
    response: { 200: GroupLabel },
    auth: { on: 'project', ability: 'promote_labels' },
    errors: ['bad_request', 'not_found'],
    docs: {
      summary: 'Make a label of the project one of its group',
      tag,
      description:
        'Labels of the same title in the other projects of the group become one with it.',
    },
  }),
}
