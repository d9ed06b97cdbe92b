import { expect, it } from 'vitest'
import { matrixOf } from '../../testing/policy-matrix.ts'
import { commitRules, decideOnCommit } from './commit-policy.ts'

it('decideOnCommit follows the table', () => {
  const rows = matrixOf(commitRules, (ability, { caller, project }) =>
    decideOnCommit(ability, caller, project),
  )
  expect(rows).toEqual({
    read_commit: 'yyy ?--- yyyyy',
    comment_on_commit: '--y ?--- yyyyy',
  })
})
