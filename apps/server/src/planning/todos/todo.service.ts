import type { TodoAction } from '@stithy/core'
import { finishTodosOf, insertTodos, type TodoTarget, type Transaction } from '@stithy/store'
import type { Item } from '../items/item.ts'

/** The todos to add about an item; snippets have none. */
export interface TodoDraft {
  item: Item
  /** Users who may read the item; the caller of `addTodos` checks that. */
  userIds: readonly number[]
  /** The user who caused them. */
  authorId: number
  action: TodoAction
  /** The note that causes them. */
  noteId?: number | undefined
  /** Milliseconds since the epoch. */
  at: number
}

/** The todos to add about something that is known by its ids. */
export type TargetTodoDraft = Omit<TodoDraft, 'item'> & { target: TodoTarget }

/** As `addTodos`, for a target that is known by its ids. */
export async function addTodosAbout(tx: Transaction, draft: TargetTodoDraft): Promise<number[]> {
  const { noteId = null, ...rest } = draft
  const added = await insertTodos(tx, { ...rest, noteId })
  return added.map((todo) => todo.id)
}

/**
 * Adds todos about an item, in the transaction of their cause. A user with a pending todo about it,
 * for whatever reason, gets none; so add `assigned` ones before those of mentions. Snippets have no
 * todos. Returns the ids of the new ones. At most one statement.
 */
export async function addTodos(tx: Transaction, draft: TodoDraft): Promise<number[]> {
  const { item, ...rest } = draft
  const target = todoTarget(item)
  if (target === undefined || draft.userIds.length === 0) return []
  return addTodosAbout(tx, { ...rest, target })
}

/**
 * Marks a user's pending todos about an item as done, because the user acted on it: commented,
 * closed, reopened or merged it, changed its title, description, assignees, labels or milestone,
 * used `/award` or `/done`, or pushed to its source branch. Call it before new ones are added in
 * the same transaction. Returns whether any was pending. One statement.
 */
export async function finishTodos(
  tx: Transaction,
  { item, userId, at }: { item: Item; userId: number; at: number },
): Promise<boolean> {
  const target = todoTarget(item)
  if (target === undefined) return false
  return (await finishTodosOf(tx, { target, userId, at })) > 0
}

/** The item as the target of todos; undefined for types that have none. */
export function todoTarget(item: Item): TodoTarget | undefined {
  if (item.type === 'snippet') return undefined
  if (item.type === 'epic') {
    const { id, groupId } = item.row
    return { type: 'epic', id, commitId: null, projectId: null, groupId }
  }
  const projectId = item.project.row.id
  if (item.type === 'commit') {
    return { type: 'commit', id: null, commitId: item.commitId, projectId, groupId: null }
  }
  return { type: item.type, id: item.row.id, commitId: null, projectId, groupId: null }
}
