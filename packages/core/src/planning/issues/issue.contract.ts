import { z } from 'zod'
import { clearableDate, dateTime } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import {
  boolean,
  clearableInteger,
  integer,
  oneOf,
  optional,
  paid,
  text,
} from '../../platform/contract/fields.ts'
import { integerList, textList } from '../../platform/contract/list-fields.ts'
import { nameText, proseText, shortText } from '../../platform/contract/text-options.ts'
import { MoveAmongSiblings, moveConstraints } from '../items/relative-order.schema.ts'
import { Todo } from '../todos/todo.schema.ts'
import { maxIid, maxWeight } from './issue.rules.ts'
import { Issue } from './issue.schema.ts'

const one = '/projects/:id/issues/:issue_iid'
const params = z.object({ issue_iid: integer() })
const subscribe = { on: 'issue', ability: 'subscribe_to_issue' } as const

/** Editable fields of an issue, on creation and update. */
const settings = {
  title: text(nameText),
  description: text(proseText),
  confidential: boolean(),
  assignee_ids: integerList(),
  assignee_id: clearableInteger(),
  milestone_id: clearableInteger(),
  labels: textList(shortText),
  due_date: clearableDate(),
  discussion_locked: boolean(),
  weight: paid(clearableInteger({ min: 0, max: maxWeight })),
}

/** Single issues; lists are in `issueListsContract`. */
export const issuesContract = {
  show: endpoint({
    name: 'issues.show',
    method: 'GET',
    path: one,
    params,
    query: z.object(optional({ with_labels_details: boolean() })),
    response: { 200: Issue },
    auth: { on: 'issue', ability: 'read_issue' },
    errors: ['not_found'],
    docs: {
      summary: 'Show an issue',
      description: 'Extension: `with_labels_details`, as in lists.',
    },
  }),
  create: endpoint({
    name: 'issues.create',
    method: 'POST',
    path: '/projects/:id/issues',
    body: z.object(
      optional({
        ...settings,
        created_at: dateTime(),
        iid: integer({ min: 1, max: maxIid }),
        merge_request_to_resolve_discussions_of: integer(),
        discussion_to_resolve: text(),
      }),
    ),
    constraints: [
      {
        atLeastOneOf: ['title', 'merge_request_to_resolve_discussions_of'],
        message: 'title is missing',
      },
    ],
    response: { 201: Issue },
    auth: { on: 'project', ability: 'create_issue' },
    errors: ['invalid_parameter', 'validation_failed', 'not_found', 'conflict'],
    docs: {
      summary: 'Create an issue',
      description:
        '`title` is required, unless a merge request is given whose discussions the issue ' +
        'takes over. Parameters that the caller may not set are ignored: assignees, ' +
        'milestone, labels, due date, weight and `discussion_locked` need the Reporter role, ' +
        '`created_at` and `iid` an owner. Quick actions in the description are executed.',
    },
  }),
  update: endpoint({
    name: 'issues.update',
    method: 'PUT',
    path: one,
    params,
    body: z.object(
      optional({
        ...settings,
        state_event: oneOf(['close', 'reopen']),
        created_at: dateTime(),
        updated_at: dateTime(),
      }),
    ),
    constraints: [
      {
        atLeastOneOf: [
          'assignee_id',
          'assignee_ids',
          'confidential',
          'created_at',
          'description',
          'discussion_locked',
          'due_date',
          'labels',
          'milestone_id',
          'state_event',
          'title',
          'weight',
        ],
      },
    ],
    response: { 200: Issue },
    auth: { on: 'issue', ability: 'update_issue' },
    errors: ['not_found', 'invalid_parameter', 'validation_failed', 'conflict'],
    docs: {
      summary: 'Update an issue',
      description:
        '`state_event` closes or reopens the issue, and `labels` replaces all its labels. For ' +
        'its author, its assignees, and members from the Reporter role on; `updated_at` is ' +
        'for owners.',
    },
  }),
  remove: endpoint({
    name: 'issues.delete',
    method: 'DELETE',
    path: one,
    params,
    response: { 204: null },
    auth: { on: 'issue', ability: 'delete_issue' },
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete an issue' },
  }),
  move: endpoint({
    name: 'issues.move',
    method: 'POST',
    path: `${one}/move`,
    params,
    body: z.object({ to_project_id: integer() }),
    response: { 201: Issue },
    auth: { on: 'issue', ability: 'move_issue' },
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Move an issue to another project',
      description: 'Returns the new issue. The old one is closed and refers to it.',
    },
  }),
  reorder: endpoint({
    name: 'issues.reorder',
    method: 'PUT',
    path: `${one}/reorder`,
    params,
    body: MoveAmongSiblings,
    constraints: moveConstraints,
    response: { 200: Issue },
    auth: { on: 'issue', ability: 'reorder_issue' },
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Move an issue in the order of its project',
      description:
        'With `move_before_id` it comes directly before that issue of the project, with ' +
        '`move_after_id` directly after it; with both, somewhere between them. ' +
        '`order_by=relative_position` lists issues in this order, in which new ones come first.',
    },
  }),
  subscribe: endpoint({
    name: 'issues.subscribe',
    method: 'POST',
    path: `${one}/subscribe`,
    params,
    response: { 201: Issue },
    auth: subscribe,
    errors: ['not_found', 'not_modified'],
    docs: { summary: 'Subscribe to an issue' },
  }),
  unsubscribe: endpoint({
    name: 'issues.unsubscribe',
    method: 'POST',
    path: `${one}/unsubscribe`,
    params,
    response: { 201: Issue },
    auth: subscribe,
    errors: ['not_found', 'not_modified'],
    docs: { summary: 'Unsubscribe from an issue' },
  }),
  addTodo: endpoint({
    name: 'issues.todos.create',
    method: 'POST',
    path: `${one}/todo`,
    params,
    response: { 201: Todo },
    auth: { on: 'issue', ability: 'add_issue_todo' },
    errors: ['not_found', 'not_modified'],
    docs: {
      summary: 'Create a todo for an issue',
      description:
        'The todo belongs to the current user. Returns 304 if there already is a pending one.',
    },
  }),
}
