import { describe, expect, it } from 'vitest'
import { fullScans, lists, plansOf, readOf, sortsOf } from '../../../testing/work-item-plans.ts'
import { issueTable } from '../../issues/issue-list.ts'
import { listedIssueColumns } from '../../issues/issue-row.ts'
import type { WorkItemFilter } from './work-item-filter.ts'

const issues = { table: issueTable, columns: listedIssueColumns }

/** Each filter alone, and the index that must serve it in a project, in a group and everywhere. */
const served: [string, WorkItemFilter, string, string, string][] = [
  ['nothing', {}, 'projectId_createdAt', 'projectId_createdAt', 'createdAt'],
  ['state', { state: 'opened' }, 'projectId_state', 'projectId_state', 'state'],
  ['author', { authorId: 1 }, 'authorId', 'authorId', 'authorId'],
  ['author by name', { authorUsername: 'a' }, 'authorId', 'authorId', 'authorId'],
  ['created by me', { createdById: 1 }, 'authorId', 'authorId', 'authorId'],
  ['assignee', { assigneeId: { is: 1 } }, 'userId', 'userId', 'userId'],
  ['assignee by name', { assigneeUsernames: ['a', 'b'] }, 'userId', 'userId', 'userId'],
  ['assigned to me', { assignedToId: 1 }, 'userId', 'userId', 'userId'],
  ['no assignee', { assigneeId: 'none' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['any assignee', { assigneeId: 'any' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['label', { labels: { is: ['a'] } }, 'projectId_labelId', 'labelId', 'labelId'],
  ['labels', { labels: { is: ['a', 'b'] } }, 'projectId_labelId', 'labelId', 'labelId'],
  ['no label', { labels: 'none' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['any label', { labels: 'any' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['milestone', { milestone: { is: 'a' } }, 'milestoneId', 'milestoneId', 'milestoneId'],
  ['no milestone', { milestone: 'none' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['any milestone', { milestone: 'any' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['weight', { weight: { is: 3 } }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['no weight', { weight: 'none' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  ['any weight', { weight: 'any' }, 'projectId_marks', 'projectId_createdAt', 'marks'],
  [
    'confidential',
    { confidential: true },
    'confidential_projectId',
    'projectId_createdAt',
    'confidential',
  ],
  [
    'not confidential',
    { confidential: false },
    'projectId_createdAt',
    'projectId_createdAt',
    'createdAt',
  ],
  [
    'created',
    { createdFrom: 1, createdUntil: 2 },
    'projectId_createdAt',
    'projectId_createdAt',
    'createdAt',
  ],
]

describe('the first page of a list of issues', () => {
  for (const [scope, where, partitions] of lists) {
    for (const [name, filter, ...indices] of served) {
      it(`of ${scope} is read by an index: ${name}`, async () => {
        const titled = Object.values(filter).some(
          (value) => typeof value === 'object' && 'is' in value,
        )
        const few =
          titled && scope === 'everything' && !('weight' in filter || 'assigneeId' in filter)
        const { index, steps } = await readOf(issues, where, filter, {
          partitions: few ? 3 : partitions,
        })
        const expected = indices[lists.findIndex(([one]) => one === scope)] ?? ''
        expect(index, steps.join('\n')).toMatch(new RegExp(`^\\w+?_(${expected})_`))
        // Only the twenty of each partition are sorted, by the outermost query.
        expect(sortsOf(steps), steps.join('\n')).toBe(false)
        expect(fullScans(steps)).toEqual([])
      })
    }
  }

  it('is sorted where few match: iids, reactions, texts, the other date', async () => {
    const filters: [WorkItemFilter, RegExp][] = [
      [
        { iids: [1, 2] },
        /issues USING INDEX issues_(projectId_iid_key|iid_createdAt_id_confidential_index)/,
      ],
      [{ reaction: { is: 'tada' } }, /given USING COVERING INDEX awards_userId_targetType_name/],
      [{ reaction: 'any' }, /given USING COVERING INDEX awards_userId_targetType/],
      [{ search: 'word' }, /issueTexts VIRTUAL TABLE INDEX/],
      [{ updatedFrom: 1 }, /issues USING INDEX issues_(projectId_)?updatedAt/],
    ]
    for (const [filter, index] of filters) {
      for (const [scope, where, partitions] of lists) {
        const { steps } = await readOf(issues, where, filter, { total: 500, partitions })
        const message = `${scope} ${JSON.stringify(filter)}\n${steps.join('\n')}`
        expect(
          steps.some((step) => index.test(step)),
          message,
        ).toBe(true)
        expect(
          fullScans(steps).filter((step) => !step.includes('issueTexts')),
          message,
        ).toEqual([])
      }
    }
  })

  it('is read in order where many match: reactions, texts, the other date', async () => {
    const filters: WorkItemFilter[] = [{ reaction: 'none' }, { search: 'word' }, { updatedFrom: 1 }]
    for (const filter of filters) {
      for (const [scope, where, partitions] of lists) {
        const { index, sorts, steps } = await readOf(issues, where, filter, {
          partitions,
          total: 900_000,
        })
        const message = `${scope} ${JSON.stringify(filter)}\n${steps.join('\n')}`
        expect(index, message).toMatch(/^issues_(projectId_)?createdAt_/)
        if (scope === 'project') expect(sorts, message).toBe(0)
      }
    }
  })

  it.each([
    ['its last change', 'updated_at', 'updatedAt'],
    ['its place', 'relative_position', 'relativePosition'],
  ] as const)('by %s is read by an index', async (_, orderBy, column) => {
    for (const [scope, where, partitions] of lists) {
      const { index, steps } = await readOf(issues, where, {}, { orderBy, partitions })
      expect(index, `${scope}\n${steps.join('\n')}`).toMatch(
        new RegExp(`^issues_(projectId_)?${column}_id`),
      )
    }
  })
})

describe('counting a list of issues', () => {
  it('goes from the projects to their issues by an index', async () => {
    for (const filter of [
      {},
      { state: 'opened' },
      { labels: 'none' },
      { weight: 'any' },
    ] as const) {
      for (const [scope, where, partitions] of lists) {
        const steps = (await plansOf(issues, where, filter, { partitions })).get('count') ?? []
        const others = steps.filter((step) => step !== 'SCAN projects')
        expect(fullScans(others), `${scope} ${JSON.stringify(filter)}`).toEqual([])
      }
    }
  })
})
