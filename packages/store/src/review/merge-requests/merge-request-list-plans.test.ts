import { describe, expect, it } from 'vitest'
import type { WorkItemFilter } from '../../planning/items/lists/work-item-filter.ts'
import { listedMergeRequestColumns } from '../../planning/items/merge-request-row.ts'
import { fullScans, lists, plansOf, readOf, sortsOf } from '../../testing/work-item-plans.ts'
import { mergeRequestTable } from './work-item-table.ts'

const requests = { table: mergeRequestTable, columns: listedMergeRequestColumns }

const inOrder = ['projectId_createdAt', 'projectId_createdAt', 'createdAt'] as const
const marks = ['projectId_marks', 'projectId_createdAt', 'marks'] as const

/** Each filter alone, and the index that must serve it in a project, in a group and everywhere. */
const served: [string, WorkItemFilter, readonly [string, string, string]][] = [
  ['nothing', {}, inOrder],
  ['state', { state: 'opened' }, ['projectId_state', 'projectId_state', 'state']],
  ['author', { authorId: 1 }, ['authorId', 'authorId', 'authorId']],
  ['created by me', { createdById: 1 }, ['authorId', 'authorId', 'authorId']],
  ['assignee', { assigneeId: { is: 1 } }, ['userId', 'userId', 'userId']],
  ['assigned to me', { assignedToId: 1 }, ['userId', 'userId', 'userId']],
  ['no assignee', { assigneeId: 'none' }, marks],
  ['any assignee', { assigneeId: 'any' }, marks],
  ['label', { labels: { is: ['a'] } }, ['projectId_labelId', 'labelId', 'labelId']],
  ['no label', { labels: 'none' }, marks],
  ['any label', { labels: 'any' }, marks],
  ['milestone', { milestone: { is: 'a' } }, ['milestoneId', 'milestoneId', 'milestoneId']],
  ['no milestone', { milestone: 'none' }, marks],
  ['any milestone', { milestone: 'any' }, marks],
  ['wip', { wip: true }, ['workInProgress_projectId', 'projectId_createdAt', 'workInProgress']],
  ['not wip', { wip: false }, inOrder],
  [
    'source branch',
    { sourceBranch: 'a' },
    ['projectId_sourceBranch', 'projectId_sourceBranch', 'sourceBranch'],
  ],
  ['target branch of many', { targetBranch: 'a' }, [inOrder[0], inOrder[1], 'targetBranch']],
  ['created', { createdFrom: 1, createdUntil: 2 }, inOrder],
  ['no approver', { approverIds: 'none' }, inOrder],
]

/** Whether a title is looked up, which is said to have few labels or milestones. */
function isTitled(filter: WorkItemFilter): boolean {
  return typeof filter.labels === 'object' || typeof filter.milestone === 'object'
}

describe('the first page of a list of merge requests', () => {
  for (const [at, [scope, where, partitions]] of lists.entries()) {
    it.each(served)(`of ${scope} is read by an index: %s`, async (_, filter, indices) => {
      const known = { partitions: isTitled(filter) ? 3 : partitions }
      const { index, steps } = await readOf(requests, where, filter, known)
      expect(index, steps.join('\n')).toMatch(new RegExp(`^\\w+?_(${indices[at]})_`))
      // Only the twenty of each partition are sorted, by the outermost query.
      expect(sortsOf(steps), steps.join('\n')).toBe(false)
      expect(fullScans(steps)).toEqual([])
    })
  }

  it.each<[string, WorkItemFilter, RegExp]>([
    ['a target branch', { targetBranch: 'a' }, /_(projectId_targetBranch|targetBranch_createdAt)_/],
    ['a fork', { sourceProjectId: 2 }, /_sourceProjectId_sourceBranch_/],
    ['approvers', { approverIds: { is: [1, 2] } }, /approvalRuleUsers_userId_ruleId/],
    ['a reaction', { reaction: { is: 'tada' } }, /awards_userId_targetType_name/],
    ['a text', { search: 'word' }, /mergeRequestTexts VIRTUAL TABLE INDEX/],
    ['the other date', { updatedFrom: 1 }, /mergeRequests_(projectId_)?updatedAt/],
  ])('is read by an index where few match: %s', async (_, filter, index) => {
    for (const [scope, where, partitions] of lists) {
      const { steps } = await readOf(requests, where, filter, { total: 50, partitions })
      const message = `${scope}\n${steps.join('\n')}`
      expect(
        steps.some((step) => index.test(step)),
        message,
      ).toBe(true)
      const others = steps.filter((step) => !step.includes('mergeRequestTexts'))
      expect(fullScans(others), message).toEqual([])
    }
  })

  it.each<[string, WorkItemFilter]>([
    ['a target branch', { targetBranch: 'a' }],
    ['a source project', { sourceProjectId: 2 }],
    ['approvers', { approverIds: { is: [1, 2] } }],
    ['any approver', { approverIds: 'any' }],
    ['a text', { search: 'word' }],
  ])('is read in order where many match: %s', async (_, filter) => {
    for (const [scope, where, partitions] of lists) {
      const { index, steps } = await readOf(requests, where, filter, { partitions, total: 900_000 })
      const message = `${scope}\n${steps.join('\n')}`
      expect(index, message).toMatch(/^mergeRequests_(projectId_|targetBranch_)?createdAt_/)
      expect(sortsOf(steps), message).toBe(false)
    }
  })

  it('of everything with any approver is read from the rules where few match', async () => {
    const [, , [, everything, partitions]] = lists
    const { steps } = await readOf(
      requests,
      everything,
      { approverIds: 'any' },
      { total: 50, partitions },
    )
    expect(steps.filter((step) => / mergeRequests /.test(step))).toEqual([
      'SEARCH mergeRequests USING INTEGER PRIMARY KEY (rowid=?)',
    ])
    expect(fullScans(steps)).toEqual(['SCAN approver', 'SCAN approver'])
  })

  it('of a project by number is read by the index of its numbers', async () => {
    const [[, project]] = lists
    const { steps } = await readOf(requests, project, { iids: [1, 2] }, { total: 2 })
    expect(steps.join('\n')).toContain('INDEX mergeRequests_projectId_iid_key')
  })

  it('by its last change is read by an index', async () => {
    for (const [scope, where, partitions] of lists) {
      const knowledge = { orderBy: 'updated_at', partitions } as const
      const { index, steps } = await readOf(requests, where, {}, knowledge)
      expect(index, `${scope}\n${steps.join('\n')}`).toMatch(/_(projectId_)?updatedAt_id/)
    }
  })
})

describe('counting a list of merge requests', () => {
  it.each<[string, WorkItemFilter]>([
    ['nothing', {}],
    ['state', { state: 'opened' }],
    ['no label', { labels: 'none' }],
    ['wip', { wip: true }],
    ['source branch', { sourceBranch: 'a' }],
    ['target branch', { targetBranch: 'a' }],
  ])('goes from the projects to them by an index: %s', async (_, filter) => {
    for (const [scope, where, partitions] of lists) {
      const steps = (await plansOf(requests, where, filter, { partitions })).get('count') ?? []
      const others = steps.filter((step) => step !== 'SCAN projects')
      expect(fullScans(others), scope).toEqual([])
    }
  })
})
