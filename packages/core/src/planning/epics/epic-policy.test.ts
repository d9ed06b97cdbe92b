import { expect, it } from 'vitest'
import { matrixOf } from '../../testing/policy-matrix.ts'
import { decideOnEpic, epicRules } from './epic-policy.ts'

it('decideOnEpic follows the table', () => {
  const rows = matrixOf(epicRules, (ability, { caller, project: { visibility, level } }) =>
    decideOnEpic(ability, caller, { visibility, level, holdsReadableProject: false }),
  )
  expect(rows).toEqual({
    read_epic: 'yyy ?yyy yyyyy',
    update_epic: '--- ?--- yyyyy',
    delete_epic: '--- ?--- ---yy',
    comment_on_epic: '--y ?yyy yyyyy',
    award_epic: '!!y ?yyy yyyyy',
    add_epic_todo: '--y ?yyy yyyyy',
  })
})
