import { z } from 'zod'
import { clearableDate, instant } from '../contract/date-fields.ts'
import { endpoint } from '../contract/endpoint.ts'
import {
  boolean,
  clearableInteger,
  integer,
  integerList,
  oneOf,
  optional,
  paid,
  text,
  textList,
} from '../contract/fields.ts'
import { Todo } from '../todos/todo.schema.ts'
import { maxIid, maxWeight } from './issue.rules.ts'
import { Issue } from './issue.schema.ts'

const tag = 'Issues'
const one = '/projects/:id/issues/:issue_iid'
const params = z.object({ issue_iid: integer() })
const read = { on: 'project', ability: 'read_issues' } as const
const follow = { on: 'project', ability: 'follow_issues' } as const

/** What may be set of an issue, on its creation and later. */
const settings = {
  title: text(),
  description: text(),
  confidential: boolean(),
  assignee_ids: integerList(),
  assignee_id: clearableInteger(),
  milestone_id: clearableInteger(),
  labels: textList(),
  due_date: clearableDate(),
  discussion_locked: boolean(),
  weight: paid(clearableInteger({ min: 0, max: maxWeight })),
}

/** One issue (catalogue: issues, 2.1 to 2.3); lists are in a contract of their own. */
export const issuesContract = {
  show: endpoint({
    method: 'GET',
    path: one,
    params,
    response: { 200: Issue },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show an issue', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/issues',
    body: z.object(
      optional({
        ...settings,
        created_at: instant(),
        iid: integer({ min: 1, max: maxIid }),
        merge_request_to_resolve_discussions_of: integer(),
        discussion_to_resolve: text(),
      }),
    ),
    response: { 201: Issue },
    auth: { on: 'project', ability: 'create_issue' },
    errors: ['invalid_parameter', 'validation_failed', 'not_found', 'conflict'],
    docs: {
      summary: 'Open an issue',
      tag,
      description:
        'The title is needed, unless a merge request is named whose threads the issue takes over. What the caller may not set is left out: assignees, milestone, labels, due date, weight and the lock from Reporter on, `created_at` and `iid` by owners. Quick actions in the description are carried out.',
    },
  }),
  update: endpoint({
    method: 'PUT',
    path: one,
    params,
    body: z.object(
      optional({
        ...settings,
        state_event: oneOf(['close', 'reopen']),
        created_at: instant(),
        updated_at: instant(),
      }),
    ),
    response: { 200: Issue },
    auth: read,
    errors: ['not_found', 'invalid_parameter', 'validation_failed', 'conflict'],
    docs: {
      summary: 'Change, close or reopen an issue',
      tag,
      description:
        'By its author, its assignees, and members from Reporter on. `labels` replaces all labels. `updated_at` is for owners.',
    },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: one,
    params,
    response: { 204: null },
    auth: { on: 'project', ability: 'delete_issues' },
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete an issue with all that belongs to it', tag },
  }),
  move: endpoint({
    method: 'POST',
    path: `${one}/move`,
    params,
    body: z.object({ to_project_id: integer() }),
    response: { 201: Issue },
    auth: read,
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Move an issue to another project',
      tag,
      description: 'Answers the new issue; the old one is closed and knows it.',
    },
  }),
  subscribe: endpoint({
    method: 'POST',
    path: `${one}/subscribe`,
    params,
    response: { 201: Issue },
    auth: follow,
    errors: ['not_found', 'not_modified'],
    docs: { summary: 'Subscribe to an issue', tag },
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: `${one}/unsubscribe`,
    params,
    response: { 201: Issue },
    auth: follow,
    errors: ['not_found', 'not_modified'],
    docs: { summary: 'Unsubscribe from an issue', tag },
  }),
  addTodo: endpoint({
    method: 'POST',
    path: `${one}/todo`,
    params,
    response: { 201: Todo },
    auth: follow,
    errors: ['not_found', 'not_modified'],
    docs: { summary: 'Put an issue on the list of what is to do', tag },
  }),
}
