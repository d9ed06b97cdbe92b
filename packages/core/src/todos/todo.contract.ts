import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { integer, oneOf, optional } from '../contract/fields.ts'
import { Todo, todoActions, todoStates } from './todo.schema.ts'

const tag = 'Todos'

const filters = optional({
  action: oneOf(todoActions),
  author_id: integer(),
  project_id: integer(),
  group_id: integer(),
  state: oneOf(todoStates),
  type: oneOf(['Issue', 'MergeRequest', 'Epic']),
})

/** Catalogue: planning, 5; users, Todos. */
export const todosContract = {
  list: endpoint({
    method: 'GET',
    path: '/todos',
    query: z.object(filters),
    paginated: true,
    response: { 200: z.array(Todo) },
    auth: {},
    errors: ['forbidden'],
    docs: {
      summary: "List the current user's todos, the newest first",
      tag,
      description:
        'Those that are pending, unless `state` says otherwise. `group_id` takes the subgroups in. What the user cannot read any more is left out.',
    },
  }),
  markAsDone: endpoint({
    method: 'POST',
    path: '/todos/:todo_id/mark_as_done',
    params: z.object({ todo_id: integer() }),
    response: { 201: Todo },
    auth: {},
    errors: ['not_found'],
    docs: { summary: 'Mark a todo as done', tag },
  }),
  markAllAsDone: endpoint({
    method: 'POST',
    path: '/todos/mark_as_done',
    body: z.object(filters),
    response: { 204: null },
    auth: {},
    errors: ['forbidden'],
    docs: {
      summary: 'Mark all pending todos as done',
      tag,
      description: 'With the filters of the list, only those that it would show.',
    },
  }),
  addForMergeRequest: endpoint({
    method: 'POST',
    path: '/projects/:id/merge_requests/:merge_request_iid/todo',
    params: z.object({ merge_request_iid: integer() }),
    response: { 201: Todo },
    auth: { on: 'project', ability: 'follow' },
    errors: ['not_found', 'not_modified'],
    docs: {
      summary: 'Give the current user a todo about a merge request',
      tag,
      description: 'Answers 304 where the user has a pending one about it.',
    },
  }),
  addForEpic: endpoint({
    method: 'POST',
    path: '/groups/:id/epics/:epic_iid/todo',
    params: z.object({ epic_iid: integer() }),
    response: { 201: Todo },
    auth: { on: 'group', ability: 'comment_on_epics' },
    tier: 'premium',
    errors: ['not_found', 'not_modified'],
    docs: {
      summary: 'Give the current user a todo about an epic',
      tag,
      description: 'Answers 304 where the user has a pending one about it.',
    },
  }),
}
