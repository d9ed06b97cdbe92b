import { expect, it } from 'vitest'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { findGroupTwoFactorGrace } from './two-factor-grace-store.ts'

it('findGroupTwoFactorGrace starts from the user', async () => {
  const plans = await plansOf((q) => findGroupTwoFactorGrace(q, { userId: 1, today: '2019-01-01' }))
  for (const [shape, plan] of plans) {
    expect([shape, costlySteps(plan)]).toEqual([shape, []])
    const order = plan.filter((step) => /^SEARCH/.test(step)).map((step) => step.split(' ')[1])
    expect(order).toEqual(['members', 'reached', 'n', 'members', 'a', 'n', 'required'])
  }
})
