import { todoPolicy } from '@stithy/core'
import { findTodo, type TodoRow } from '@stithy/store'
import { dayOf } from '../../platform/calendar/day.ts'
import { type SubjectRequest, subjectType } from '../../platform/http/subjects.ts'

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    todo: TodoRow
  }
}

/** The todo of `:todo_id`, if it belongs to the caller and they can still read its target. */
export const todoSubjectType = subjectType({
  policy: todoPolicy,
  find,
  factsOf: ({ userId }: TodoRow) => ({ userId }),
})

async function find({ app, caller, params }: SubjectRequest): Promise<TodoRow | undefined> {
  const { userId } = caller.facts
  if (userId === null) return undefined
  const owner = { caller: { ...caller.facts, userId }, today: dayOf(app.now()) }
  return findTodo(app.db, owner, Number(params.todo_id))
}
