import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, oneOf, optional } from '../../platform/contract/fields.ts'
import { listedBodies } from '../../platform/contract/listed-bodies.ts'
import { ItemsQuery } from '../../platform/contract/listed-descriptions.ts'
import { Todo, todoActions, todoStates } from './todo.schema.ts'

const filters = optional({
  action: oneOf(todoActions),
  author_id: integer(),
  project_id: integer(),
  group_id: integer(),
  state: oneOf(todoStates),
  type: oneOf(['Issue', 'MergeRequest', 'Epic', 'Project', 'Namespace']),
})

/** Todos of the caller. */
export const todosContract = {
  list: endpoint({
    name: 'todos.list',
    method: 'GET',
    path: '/todos',
    query: ItemsQuery.extend({ ...filters, ...optional(listedBodies) }),
    paginated: true,
    response: { 200: z.array(Todo) },
    auth: {},
    errors: ['forbidden'],
    docs: {
      summary: 'List todos of the current user',
      description:
        'Newest first. Only pending ones, unless `state` is given. `group_id` includes ' +
        'subgroups. Todos for things that the user can no longer read are left out.',
    },
  }),
  markAsDone: endpoint({
    name: 'todos.markAsDone',
    method: 'POST',
    path: '/todos/:todo_id/mark_as_done',
    params: z.object({ todo_id: integer() }),
    response: { 201: Todo },
    auth: { on: 'todo', ability: 'finish_todo' },
    errors: ['not_found'],
    docs: { summary: 'Mark a todo as done' },
  }),
  markAllAsDone: endpoint({
    name: 'todos.markAllAsDone',
    method: 'POST',
    path: '/todos/mark_as_done',
    body: z.object(filters),
    response: { 204: null },
    auth: { on: 'instance', ability: 'finish_own_todos' },
    errors: ['forbidden'],
    docs: {
      summary: 'Mark all todos as done',
      description: 'Takes the filters of the list: only pending todos that match them are marked.',
    },
  }),
  addForMergeRequest: endpoint({
    name: 'mergeRequests.todos.create',
    method: 'POST',
    path: '/projects/:id/merge_requests/:merge_request_iid/todo',
    params: z.object({ merge_request_iid: integer() }),
    response: { 201: Todo },
    auth: { on: 'merge_request', ability: 'add_merge_request_todo' },
    errors: ['not_found', 'not_modified'],
    docs: {
      summary: 'Create a todo for a merge request',
      description:
        'The todo belongs to the current user. Returns 304 if there already is a pending one.',
    },
  }),
  addForEpic: endpoint({
    name: 'epics.todos.create',
    method: 'POST',
    path: '/groups/:id/epics/:epic_iid/todo',
    aliases: ['/groups/:id/epics/:epic_iid/todos'],
    params: z.object({ epic_iid: integer() }),
    response: { 201: Todo },
    auth: { on: 'epic', ability: 'add_epic_todo' },
    tier: 'premium',
    errors: ['not_found', 'not_modified'],
    docs: {
      summary: 'Create a todo for an epic',
      description:
        'The todo belongs to the current user. Returns 304 if there already is a pending one.',
    },
  }),
}
