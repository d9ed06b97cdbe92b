import { expect, it } from 'vitest'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { listUserActivities } from './user-activity-list.ts'

it('listUserActivities reads the index of the last active day', async () => {
  const page = { page: 1, perPage: 20 }
  const plans = await plansOf((q) => listUserActivities(q, { from: '2019-01-01' }, page))
  expect(plans.size).toBe(2)
  for (const [shape, plan] of plans) expect([shape, costlySteps(plan)]).toEqual([shape, []])
})
