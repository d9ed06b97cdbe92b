import type { CallerFacts } from '../../platform/access/caller.ts'
import { absent, allowed, type Decision } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'

/** What the policy needs of a todo. */
export interface TodoFacts {
  /** The owner of the todo. */
  userId: number
}

/** Rules for todos: the owner alone, not even administrators. */
export const todoRules = { finish_todo: { by: 'owner' } } as const

export type TodoAbility = keyof typeof todoRules

export function decideOnTodo(_: TodoAbility, caller: CallerFacts, { userId }: TodoFacts): Decision {
  return userId === caller.userId ? allowed : absent
}

export const todoPolicy: SubjectPolicy<TodoAbility, TodoFacts> = {
  title: 'Todo',
  rules: todoRules,
  decide: decideOnTodo,
}
