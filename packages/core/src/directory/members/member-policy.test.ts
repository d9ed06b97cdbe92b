import { describe, expect, it } from 'vitest'
import { matrixOf } from '../../testing/policy-matrix.ts'
import {
  decideOnGroupMember,
  decideOnProjectMember,
  groupMemberRules,
  projectMemberRules,
} from './member-policy.ts'

describe.each([
  [false, '--- ?--- --yyy', '--- ?--- ---yy'],
  [true, '--y ?yyy yyyyy', '--y ?yyy yyyyy'],
])('removing a member or a request, oneself: %s', (own, ofProject, ofGroup) => {
  it('of a project', () => {
    const rows = matrixOf(projectMemberRules, (ability, { caller, project }) =>
      decideOnProjectMember(ability, caller, { source: project, own }),
    )
    expect(rows).toEqual({
      remove_project_member: ofProject,
      delete_project_access_request: own ? 'yyy ?yyy yyyyy' : ofProject,
    })
  })

  it('of a group', () => {
    const rows = matrixOf(groupMemberRules, (ability, { caller, project }) => {
      const { visibility, level } = project
      const source = { visibility, level, holdsReadableProject: false }
      return decideOnGroupMember(ability, caller, { source, own })
    })
    expect(rows).toEqual({
      remove_group_member: ofGroup,
      delete_group_access_request: own ? 'yyy ?yyy yyyyy' : ofGroup,
    })
  })
})
