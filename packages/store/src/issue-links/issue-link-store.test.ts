import { describe, expect, it } from 'vitest'
import { costlySteps, plansOf } from '../testing/plans.ts'
import { listRelatedIssues } from './issue-link-store.ts'

describe('a list of related issues', () => {
  it('is read from the relations of the issue alone', async () => {
    const plans = await plansOf(async (q) => {
      for (const admin of [false, true]) {
        const caller = { userId: 1, admin, external: false }
        const whose = { issueId: 1, caller, today: '2019-06-15' }
        await listRelatedIssues(q, whose, { page: 1, perPage: 20 })
      }
    })
    expect(plans.size).toBe(4)
    for (const plan of plans.values()) {
      // An issue has few relations: putting them in order costs nothing.
      const steps = costlySteps(plan).filter((step) => !step.includes('FOR ORDER BY'))
      expect(steps).toEqual([])
      expect(plan.filter((step) => /SEARCH issueLinks USING/.test(step))).toHaveLength(2)
    }
  })
})
