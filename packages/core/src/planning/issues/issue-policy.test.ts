import { describe, expect, it } from 'vitest'
import { ids, matrixOf, rowOf, type Viewer, viewers } from '../../testing/policy-matrix.ts'
import { decideOnIssue, type IssueAbility, type IssueFacts, issueRules } from './issue-policy.ts'

function decide(ability: IssueAbility, { caller, project }: Viewer, facts: Partial<IssueFacts>) {
  const assigned = caller.userId === ids.assignee
  const issue = { confidential: false, discussionLocked: false, authorId: ids.author, assigned }
  return decideOnIssue(ability, caller, project, { ...issue, ...facts })
}

describe('decideOnIssue', () => {
  it('follows the table', () => {
    expect(matrixOf(issueRules, (ability, viewer) => decide(ability, viewer, {}))).toEqual({
      read_issue: 'yyy ?yyy yyyyy',
      read_issue_participants: 'yyy ?yyy yyyyy',
      update_issue: '--- ?-yy yyyyy',
      track_issue_time: '--- ?-yy yyyyy',
      delete_issue: '--- ?--- ---yy',
      move_issue: '!!! ?!!! yyyyy',
      reorder_issue: '--- ?--- yyyyy',
      link_issue: '--- ?--- yyyyy',
      comment_on_issue: '--y ?yyy yyyyy',
      award_issue: '!!y ?yyy yyyyy',
      subscribe_to_issue: '--y ?yyy yyyyy',
      add_issue_todo: '--y ?yyy yyyyy',
    })
  })

  it('hides a confidential issue with a 404, or a 403 on update', () => {
    const rows = matrixOf(issueRules, (ability, viewer) =>
      decide(ability, viewer, { confidential: true }),
    )
    expect(rows).toEqual({
      read_issue: '??? ??yy yyyyy',
      read_issue_participants: '??? ??yy yyyyy',
      update_issue: '--- ?-yy yyyyy',
      track_issue_time: '??? ??yy yyyyy',
      delete_issue: '--- ?--- ---yy',
      move_issue: '??? ??!! yyyyy',
      reorder_issue: '??? ??-- yyyyy',
      link_issue: '??? ??-- yyyyy',
      comment_on_issue: '??? ??yy yyyyy',
      award_issue: '??? ??yy yyyyy',
      subscribe_to_issue: '--? ??yy yyyyy',
      add_issue_todo: '--? ??yy yyyyy',
    })
  })

  it('restricts a locked discussion to members', () => {
    const locked = { discussionLocked: true }
    expect(rowOf((viewer) => decide('comment_on_issue', viewer, locked))).toBe('--- ?yyy yyyyy')
    expect(rowOf((viewer) => decide('award_issue', viewer, locked))).toBe('!!y ?yyy yyyyy')
  })

  const changing = ['update_issue', 'track_issue_time', 'delete_issue', 'move_issue'] as const
  it.each([...changing, 'link_issue', 'comment_on_issue', 'award_issue'] as const)(
    '%s: refused in an archived project, with the reason',
    (ability) => {
      for (const viewer of viewers.filter(({ project }) => project.level > 0)) {
        const project = { ...viewer.project, archived: true }
        expect(decide(ability, { ...viewer, project }, {})).toEqual({
          allowed: false,
          reason: 'The project is archived',
        })
      }
    },
  )

  it('refuses everything while issues are disabled', () => {
    for (const ability of Object.keys(issueRules) as IssueAbility[]) {
      const row = rowOf((viewer) => {
        const features = { ...viewer.project.features, issues: 'disabled' as const }
        return decide(ability, { ...viewer, project: { ...viewer.project, features } }, {})
      })
      const hidden = ability === 'read_issue_participants'
      expect(row).toBe(hidden ? '??? ???? ?????' : '--- ?--- -----')
    }
  })
})
