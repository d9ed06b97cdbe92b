import { DomainError, notFound, type Todo } from '@stithy/core'
import { findTodo, finishTodo, type TodoOwner } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { Item } from '../items/item.ts'
import { dayOf } from '../members/day.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { addTodos } from './todo.service.ts'
import { viewTodos } from './todo-views.service.ts'

/** Whose todos a call is about: those of who calls, as they see them. */
export function todoOwner(app: App, caller: Caller): TodoOwner {
  const { id } = requireCaller(caller)
  return { caller: { ...caller.facts, userId: id }, today: dayOf(app.now()) }
}

/**
 * Gives the caller a todo about an item that they may read (catalogue: issues, 2.3).
 * @throws DomainError `not_modified` where they have a pending one about it.
 */
export async function markTodo(app: App, caller: Caller, item: Item): Promise<Todo> {
  const { id } = requireCaller(caller)
  const todos = { item, userIds: [id], authorId: id, action: 'marked', at: app.now() } as const
  const [added] = await app.db.transaction((tx) => addTodos(tx, todos))
  if (added === undefined) throw new DomainError('not_modified')
  return showTodo(app, caller, added)
}

/**
 * Sets a todo of the caller done, also one that is.
 * @throws DomainError `not_found` where it is somebody else's, or its target cannot be read any more.
 */
export async function markTodoAsDone(app: App, caller: Caller, id: number): Promise<Todo> {
  const owner = todoOwner(app, caller)
  const found = await findTodo(app.db, owner, id)
  if (found === undefined) throw notFound('Todo')
  const { userId } = owner.caller
  await app.db.transaction((tx) => finishTodo(tx, { id, userId, at: app.now() }))
  return showTodo(app, caller, id)
}

async function showTodo(app: App, caller: Caller, id: number): Promise<Todo> {
  const row = await findTodo(app.db, todoOwner(app, caller), id)
  const [todo] = row === undefined ? [] : await viewTodos(app, caller, [row])
  if (todo === undefined) throw notFound('Todo')
  return todo
}
