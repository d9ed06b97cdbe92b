import { expect, it } from 'vitest'
import { ids, matrixOf } from '../../testing/policy-matrix.ts'
import { decideOnTodo, todoRules } from './todo-policy.ts'

it('decideOnTodo allows only the owner, not even administrators', () => {
  const rows = matrixOf(todoRules, (ability, { caller }) =>
    decideOnTodo(ability, caller, { userId: ids.author }),
  )
  expect(rows).toEqual({ finish_todo: '??? ??y? ?????' })
})
