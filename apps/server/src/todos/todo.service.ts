import type { TodoAction } from '@stithy/core'
import { finishTodosOf, insertTodos, type TodoTarget, type Transaction } from '@stithy/store'
import type { Item } from '../items/item.ts'

/** What todos can be about: everything but snippets (catalogue: planning, 5). */
export interface TodoDraft {
  item: Item
  /** Whose todos they are: users who may read the item, which is not looked at here. */
  userIds: readonly number[]
  /** Who is the cause of them. */
  authorId: number
  action: TodoAction
  /** The note that makes them. */
  noteId?: number | undefined
  /** Milliseconds since the epoch. */
  at: number
}

/**
 * Gives users a todo about an item, in the transaction of what they are told of; who has a pending one about
 * it, for whatever reason, gets none. So `assigned` ones are added before those of who is named. Notes and
 * texts of snippets make none. Answers the ids of the new ones. One statement, or none.
 */
export async function addTodos(tx: Transaction, draft: TodoDraft): Promise<number[]> {
  const { item, userIds, authorId, action, noteId = null, at } = draft
  const target = todoTarget(item)
  if (target === undefined || userIds.length === 0) return []
  const added = await insertTodos(tx, { target, userIds, authorId, action, noteId, at })
  return added.map((todo) => todo.id)
}

/**
 * Sets done what a user has pending about an item, because the user did something to it: comments, closes,
 * reopens or merges it, changes its title, description, assignees, labels or milestone, awards through
 * `/award`, pushes to its source branch, or says `/done` (catalogue: planning, 5). Comes before new ones are
 * added in the same transaction. Answers whether there was something pending. One statement.
 */
export async function finishTodos(
  tx: Transaction,
  { item, userId, at }: { item: Item; userId: number; at: number },
): Promise<boolean> {
  const target = todoTarget(item)
  if (target === undefined) return false
  return (await finishTodosOf(tx, { target, userId, at })) > 0
}

/** The item as todos know it; undefined for those that have none. */
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
