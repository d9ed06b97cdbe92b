import { describe, expect, it } from 'vitest'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { listItemVersions } from './item-version-store.ts'

describe('the query of the versions of items', () => {
  it('finds items, notes, approvals and pipelines by indexes, and sorts nothing', async () => {
    const plans = await plansOf((q) =>
      listItemVersions(q, { issueIds: [1], epicIds: [2], mergeRequestIds: [3] }),
    )
    expect(plans.size).toBe(1)
    for (const plan of plans.values()) expect(costlySteps(plan)).toEqual([])
  })
})
