import { describe, expect, it } from 'vitest'
import type { Queries } from '../../platform/queries/queries.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { countOwnBadges, findBadge, listBadges } from './badge-store.ts'

const project = { projectId: 1, namespaceId: 1 }
const group = { groupId: 1 }
// Of an empty list, the second page is counted too.
const page = { page: 2, perPage: 20 }

describe('queries of badges', () => {
  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['the list of a group', (q) => listBadges(q, group, page)],
    ['one of a project', (q) => findBadge(q, project, 1)],
    ['one of a group', (q) => findBadge(q, group, 1)],
    ['how many a project has', (q) => countOwnBadges(q, project)],
  ])('read indexes: %s', async (_, work) => {
    for (const [shape, plan] of await plansOf(work)) {
      expect([shape, costlySteps(plan)]).toEqual([shape, []])
    }
  })

  it('list those of a project without reading the table, and sort the few that there are', async () => {
    const plans = await plansOf((q) => listBadges(q, project, page))
    expect(plans.size).toBe(2)
    for (const [shape, plan] of plans) {
      const scans = costlySteps(plan).filter((step) => step.startsWith('SCAN'))
      expect([shape, scans]).toEqual([shape, []])
    }
  })
})
