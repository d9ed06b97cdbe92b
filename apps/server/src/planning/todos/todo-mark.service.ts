import { DomainError, notFound, type Todo } from '@stithy/core'
import { findTodo, finishTodo, type TodoOwner } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import type { Item } from '../items/item.ts'
import { addTodos } from './todo.service.ts'
import { viewTodos } from './todo-views.service.ts'

/** The owner of the todos of a call: the caller, with their permissions. */
export function todoOwner(app: App, caller: Caller): TodoOwner {
  const { id } = requireCaller(caller)
  return { caller: { ...caller.facts, userId: id }, today: dayOf(app.now()) }
}

/**
 * Adds a todo for the caller about an item that they may read.
 * @throws DomainError `not_modified` if they have a pending one about it.
 */
export async function markTodo(app: App, caller: Caller, item: Item): Promise<Todo> {
  const { id } = requireCaller(caller)
  const todos = { item, userIds: [id], authorId: id, action: 'marked', at: app.now() } as const
  const [added] = await app.db.transaction((tx) => addTodos(tx, todos))
  if (added === undefined) throw new DomainError('not_modified')
  return viewTodo(app, caller, added)
}

/**
 * Marks a todo of the caller as done, even if it is already.
 * @throws DomainError `not_found` if it was deleted concurrently.
 */
export async function markTodoAsDone(app: App, caller: Caller, id: number): Promise<Todo> {
  const { id: userId } = requireCaller(caller)
  await app.db.transaction((tx) => finishTodo(tx, { id, userId, at: app.now() }))
  return viewTodo(app, caller, id)
}

async function viewTodo(app: App, caller: Caller, id: number): Promise<Todo> {
  const row = await findTodo(app.db, todoOwner(app, caller), id)
  const [todo] = row === undefined ? [] : await viewTodos(app, caller, [row])
  if (todo === undefined) throw notFound('Todo')
  return todo
}
