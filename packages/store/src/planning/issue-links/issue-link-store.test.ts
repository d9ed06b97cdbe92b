import { describe, expect, it } from 'vitest'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { listRelatedIssues } from './issue-link-store.ts'

describe('a list of related issues', () => {
  it('reads only the relations of the issue', async () => {
    const plans = await plansOf(async (q) => {
      for (const admin of [false, true]) {
        const caller = { userId: 1, admin, external: false }
        const viewer = { issueId: 1, caller, today: '2019-06-15' }
        // Of an empty list, the second page is counted too.
        await listRelatedIssues(q, viewer, { page: 2, perPage: 20 })
      }
    })
    expect(plans.size).toBe(4)
    for (const plan of plans.values()) {
      // An issue has few relations, so sorting them costs nothing.
      const steps = costlySteps(plan).filter((step) => !step.includes('FOR ORDER BY'))
      expect(steps).toEqual([])
      expect(plan.filter((step) => /SEARCH issueLinks USING/.test(step))).toHaveLength(2)
    }
  })
})
