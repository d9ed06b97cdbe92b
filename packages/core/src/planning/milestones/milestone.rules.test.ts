import { describe, expect, it } from 'vitest'
import { burndown } from './burndown.rules.ts'
import { milestoneErrors } from './milestone.rules.ts'

describe('milestoneErrors', () => {
  it('requires a due date after the start date', () => {
    const dueDate = '2019-05-02'
    expect(milestoneErrors({ startDate: '2019-05-01', dueDate })).toBeUndefined()
    for (const startDate of ['2019-05-02', '2019-05-03']) {
      const errors = { due_date: ['must be greater than start date'] }
      expect(milestoneErrors({ startDate, dueDate })).toEqual(errors)
    }
    expect(milestoneErrors({ startDate: null, dueDate })).toBeUndefined()
  })

  it('requires a title', () => {
    expect(milestoneErrors({ title: '' })).toEqual({ title: ["can't be blank"] })
  })
})

describe('burndown', () => {
  const closed = (createdAt: number) => ({ action: 'closed', createdAt }) as const
  const reopened = (createdAt: number) => ({ action: 'reopened', createdAt }) as const
  const issue = (
    createdAt: number,
    closedAt: number | null,
    turns: ReturnType<typeof closed | typeof reopened>[],
  ) => ({
    weight: 2,
    createdAt,
    closedAt,
    turns,
  })
  const told = (points: ReturnType<typeof burndown>) =>
    points.map(({ action, createdAt }) => `${action} ${createdAt}`)

  it('returns the events in order, up to a timestamp', () => {
    const issues = [
      issue(5, null, [closed(7), reopened(9)]),
      issue(6, 8, [closed(8)]),
      issue(20, null, []),
    ]
    const expected = ['created 5', 'created 6', 'closed 7', 'closed 8', 'reopened 9']
    expect(told(burndown(issues, 10))).toEqual(expected)
    expect(told(burndown(issues, 8))).toEqual(expected.slice(0, 3))
    expect(burndown(issues, 10)[0]?.weight).toBe(2)
  })

  it('omits transitions without effect, and uses the state when no transition is recorded', () => {
    expect(
      told(burndown([issue(1, null, [reopened(2), closed(3), closed(4), reopened(5)])], 9)),
    ).toEqual(['created 1', 'closed 3', 'reopened 5'])
    expect(told(burndown([issue(1, 6, [])], 9))).toEqual(['created 1', 'closed 6'])
  })
})
