import type { TodoAction, TodoTargetType } from '@stithy/core'
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'

/** The target of a todo: a commit by its hash and project, everything else by its id. */
export type TodoTarget =
  | { type: 'commit'; id: null; commitId: string; projectId: number; groupId: null }
  | {
      type: Exclude<TodoTargetType, 'commit'>
      id: number
      commitId: null
      projectId: number | null
      groupId: number | null
    }

export interface NewTodos {
  target: TodoTarget
  /** The users of the todos; unknown ids are left out. */
  userIds: readonly number[]
  authorId: number
  action: TodoAction
  /** The note that causes the todos, if any. */
  noteId: number | null
  /** Milliseconds since the epoch. */
  at: number
}

/**
 * Adds a pending todo for each user, unless they have one with the same target; two concurrent
 * calls create one. Returns the new rows. One statement.
 */
export function insertTodos(
  tx: Transaction,
  { target, ...todos }: NewTodos,
): Promise<{ id: number; userId: number }[]> {
  const { type: targetType, id: targetId, ...parent } = target
  const args = { ...todos, ...parent, targetType, targetId }
  return tx.all('todos.insert', args, (db, $) => {
    const shared = {
      authorId: number($('authorId')),
      projectId: number($('projectId')),
      groupId: number($('groupId')),
      targetType: text($('targetType')),
      targetId: number($('targetId')),
      commitId: text($('commitId')),
      noteId: number($('noteId')),
      action: text($('action')),
      createdAt: number($('at')),
      updatedAt: number($('at')),
    }
    const names = Object.keys(shared) as (keyof typeof shared)[]
    const selected = db
      .selectFrom('users')
      .where(inList('users.id', $('userIds')))
      .select('users.id')
      .select(names.map((name) => shared[name].as(name)))
    return db
      .insertInto('todos')
      .columns(['userId', ...names])
      .expression(selected)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'userId'])
  })
}

/** A value among selected columns, whose type PostgreSQL can't infer. */
function number(value: number | null): RawBuilder<unknown> {
  return sql`cast(${value} as bigint)`
}

function text(value: string | null): RawBuilder<unknown> {
  return sql`cast(${value} as text)`
}

interface TargetArgs {
  targetType: TodoTargetType
  targetId: number
  projectId: number
  commitId: string
}

const eb = expressionBuilder<Schema, 'todos'>()

/**
 * Whether a todo has this target; `$` has a value for every name, some of which are not used in the
 * query.
 */
function isAbout({ type }: TodoTarget, $: Param<TargetArgs>): Expression<SqlBool> {
  if (type === 'commit') {
    return eb.and([
      eb('todos.projectId', '=', $('projectId')),
      eb('todos.commitId', '=', $('commitId')),
    ])
  }
  return eb.and([
    eb('todos.targetType', '=', $('targetType')),
    eb('todos.targetId', '=', $('targetId')),
  ])
}

function targetArgs({ type, id, projectId, commitId }: TodoTarget): TargetArgs {
  return {
    targetType: type,
    targetId: id ?? 0,
    projectId: projectId ?? 0,
    commitId: commitId ?? '',
  }
}

/** Marks the user's pending todos with a target as done; returns how many there were. */
export async function finishTodosOf(
  tx: Transaction,
  { target, userId, at }: { target: TodoTarget; userId: number; at: number },
): Promise<number> {
  const args = { ...targetArgs(target), userId, at }
  const { changes } = await tx.run(`todos.finish|${target.commitId !== null}`, args, (db, $) =>
    db
      .updateTable('todos')
      .set({ state: 'done', updatedAt: $('at') })
      .where('todos.userId', '=', $('userId'))
      .where('todos.state', '=', 'pending')
      .where(isAbout(target, $)),
  )
  return changes
}

/** Marks everybody's pending todos with a target as done. */
export async function finishAllTodosOf(
  tx: Transaction,
  { target, at }: { target: TodoTarget; at: number },
): Promise<void> {
  const args = { ...targetArgs(target), at }
  await tx.run(`todos.finish-target|${target.commitId !== null}`, args, (db, $) =>
    db
      .updateTable('todos')
      .set({ state: 'done', updatedAt: $('at') })
      .where('todos.state', '=', 'pending')
      .where(isAbout(target, $)),
  )
}

/** Marks one todo as done. */
export async function finishTodo(
  tx: Transaction,
  args: { id: number; userId: number; at: number },
): Promise<void> {
  await tx.run('todos.finish-one', args, (db, $) =>
    db
      .updateTable('todos')
      .set({ state: 'done', updatedAt: $('at') })
      .where('id', '=', $('id'))
      .where('userId', '=', $('userId'))
      .where('state', '=', 'pending'),
  )
}

/** Lists the users with a todo for a target, done or not. */
export async function listTodoUsers(q: Queries, target: TodoTarget): Promise<number[]> {
  const shape = `todos.users|${target.commitId !== null}`
  const rows = await q.all(shape, targetArgs(target), (db, $) =>
    db.selectFrom('todos').where(isAbout(target, $)).select('userId').distinct(),
  )
  return rows.map((row) => row.userId)
}

/** Deletes the todos of some users with a target. */
export async function deleteTodosOf(
  tx: Transaction,
  { target, userIds }: { target: TodoTarget; userIds: readonly number[] },
): Promise<void> {
  const args = { ...targetArgs(target), userIds }
  await tx.run(`todos.delete|${target.commitId !== null}`, args, (db, $) =>
    db
      .deleteFrom('todos')
      .where(isAbout(target, $))
      .where(inList('todos.userId', $('userIds'))),
  )
}
