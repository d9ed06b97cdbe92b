import { describe, expect, it } from 'vitest'
import { ids, matrixOf, rowOf, type Viewer, viewers } from '../../testing/policy-matrix.ts'
import {
  decideOnMergeRequest,
  type MergeRequestAbility,
  type MergeRequestFacts,
  mergeRequestRules,
} from './merge-request-policy.ts'

function decide(
  ability: MergeRequestAbility,
  { caller, project }: Viewer,
  facts: Partial<MergeRequestFacts> = {},
) {
  const assigned = caller.userId === ids.assignee
  const request = { discussionLocked: false, authorId: ids.author, assigned, ...facts }
  return decideOnMergeRequest(ability, caller, project, request)
}

describe('decideOnMergeRequest', () => {
  it('follows the table', () => {
    expect(matrixOf(mergeRequestRules, (ability, viewer) => decide(ability, viewer))).toEqual({
      show_merge_request: 'yyy ?-yy yyyyy',
      read_merge_request: 'yyy ??yy yyyyy',
      update_merge_request: '--- ?-yy -yyyy',
      track_merge_request_time: '--- ?-yy -yyyy',
      accept_merge_request: '!!! ?-!! !yyyy',
      cancel_automatic_merge: '!!! ?-y! !yyyy',
      rebase_merge_request: '--y ?-yy yyyyy',
      merge_to_ref: '--- ?--- -yyyy',
      approve_merge_request: '!!! ?-!! !yyyy',
      delete_merge_request: '--- ?--- ---yy',
      read_merge_request_pipelines: 'yyy ?--- yyyyy',
      comment_on_merge_request: '--y ??yy yyyyy',
      award_merge_request: '!!y ??yy yyyyy',
      add_merge_request_todo: '--y ?-yy yyyyy',
    })
  })

  it('restricts a locked discussion to members', () => {
    const row = rowOf((viewer) =>
      decide('comment_on_merge_request', viewer, { discussionLocked: true }),
    )
    expect(row).toBe('--- ??yy yyyyy')
  })

  it('refuses changes in an archived project, with the reason', () => {
    for (const viewer of viewers.filter(({ project }) => project.level >= 20)) {
      const project = { ...viewer.project, archived: true }
      for (const ability of ['update_merge_request', 'award_merge_request'] as const) {
        expect(decide(ability, { ...viewer, project })).toEqual({
          allowed: false,
          reason: 'The project is archived',
        })
      }
    }
  })

  it('is forbidden where merge requests or the repository are disabled, and its notes absent', () => {
    for (const feature of ['merge_requests', 'repository']) {
      const row = (ability: MergeRequestAbility) =>
        rowOf((viewer) => {
          const features = { ...viewer.project.features, [feature]: 'disabled' }
          return decide(ability, { ...viewer, project: { ...viewer.project, features } })
        })
      expect(row('show_merge_request')).toBe('--- ?--- -----')
      expect(row('read_merge_request')).toBe('??? ???? ?????')
    }
  })
})
