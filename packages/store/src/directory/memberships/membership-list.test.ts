import { expect, it } from 'vitest'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { listMemberships } from './membership-list.ts'

it.each([undefined, 'group', 'project'] as const)(
  'listMemberships starts from the user: %s',
  async (sourceKind) => {
    const filter = { userId: 1, today: '2019-01-01', sourceKind }
    const plans = await plansOf((q) => listMemberships(q, filter, { page: 1, perPage: 20 }))
    for (const [shape, plan] of plans) expect([shape, costlySteps(plan)]).toEqual([shape, []])
  },
)
