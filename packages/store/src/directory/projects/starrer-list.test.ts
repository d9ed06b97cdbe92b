import { expect, it } from 'vitest'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { listStarrers } from './starrer-list.ts'

it.each([1, null])('listStarrers reads the index of the project: viewer %s', async (viewerId) => {
  for (const search of [undefined, 'a']) {
    const filter = { projectId: 1, starCount: 1, viewerId, search }
    const plans = await plansOf((q) => listStarrers(q, filter, { page: 1, perPage: 20 }))
    expect(plans.size).toBe(2)
    for (const [shape, plan] of plans) expect([shape, costlySteps(plan)]).toEqual([shape, []])
  }
})
