import { z } from 'zod'
import { clearableDate } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import {
  boolean,
  clearableText,
  integer,
  oneOf,
  optional,
  text,
} from '../../platform/contract/fields.ts'
import { textList } from '../../platform/contract/list-fields.ts'
import { nameText, proseText, shortText } from '../../platform/contract/text-options.ts'
import { Epic } from './epic.schema.ts'
import { EpicFilter } from './epic-filter.schema.ts'

const path = '/groups/:id/epics'
const one = `${path}/:epic_iid` as const
const params = z.object({ epic_iid: integer() })

/** Editable fields of an epic, on creation and update. */
const settings = {
  description: clearableText(proseText),
  labels: textList(shortText),
  start_date_is_fixed: boolean(),
  start_date_fixed: clearableDate(),
  due_date_is_fixed: boolean(),
  due_date_fixed: clearableDate(),
}

const dates =
  'The dates are the fixed ones where `start_date_is_fixed` and `due_date_is_fixed` say so, and ' +
  'else follow from the milestones of its issues.'

/** Epics of groups. */
export const epicsContract = {
  list: endpoint({
    name: 'epics.list',
    method: 'GET',
    path,
    query: EpicFilter,
    paginated: true,
    response: { 200: z.array(Epic) },
    auth: { on: 'group', ability: 'read_epics' },
    tier: 'premium',
    docs: {
      summary: 'List epics of a group',
      description: 'Includes epics of its subgroups that the caller can read.',
    },
  }),
  show: endpoint({
    name: 'epics.show',
    method: 'GET',
    path: one,
    params,
    response: { 200: Epic },
    auth: { on: 'epic', ability: 'read_epic' },
    tier: 'premium',
    errors: ['not_found'],
    docs: {
      summary: 'Show an epic',
      description:
        'Also counts the epics and issues below it, on all levels, and sums the weights of the issues: of those that the caller can read, and that are below epics that they can read.',
    },
  }),
  create: endpoint({
    name: 'epics.create',
    method: 'POST',
    path,
    body: z.object({
      title: text(nameText),
      ...optional({ ...settings, parent_id: integer() }),
    }),
    response: { 201: Epic },
    auth: { on: 'group', ability: 'admin_epics' },
    tier: 'premium',
    errors: ['validation_failed'],
    docs: {
      summary: 'Create an epic',
      description: `${dates} \`parent_id\` is the ID of an epic of this group, or of a group above it, that the caller can edit. Unknown labels are created in the group. Quick actions in the description are executed.`,
    },
  }),
  update: endpoint({
    name: 'epics.update',
    method: 'PUT',
    path: one,
    params,
    body: z.object(
      optional({
        title: text(nameText),
        ...settings,
        state_event: oneOf(['close', 'reopen']),
      }),
    ),
    constraints: [
      {
        atLeastOneOf: [
          'title',
          'description',
          'labels',
          'start_date_is_fixed',
          'start_date_fixed',
          'due_date_is_fixed',
          'due_date_fixed',
          'state_event',
        ],
      },
    ],
    response: { 200: Epic },
    auth: { on: 'epic', ability: 'update_epic' },
    tier: 'premium',
    errors: ['not_found', 'validation_failed', 'conflict'],
    docs: {
      summary: 'Update an epic',
      description: `\`state_event\` closes or reopens the epic, and \`labels\` replaces all its labels. ${dates}`,
    },
  }),
  remove: endpoint({
    name: 'epics.delete',
    method: 'DELETE',
    path: one,
    params,
    response: { 204: null },
    auth: { on: 'epic', ability: 'delete_epic' },
    tier: 'premium',
    errors: ['not_found', 'precondition_failed'],
    docs: {
      summary: 'Delete an epic',
      description: 'Its child epics and issues remain, without a parent.',
    },
  }),
}
