import { describe, expect, it } from 'vitest'
import type { Queries } from '../../platform/queries/queries.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { type MilestoneSearchScope, searchMilestones } from './milestone-search.ts'
import { searchNotes } from './note-search.ts'
import { searchSnippets } from './snippet-search.ts'

const page = { page: 1, perPage: 20 }
const today = '2019-06-15'
const callers = [
  { userId: 1, admin: false, external: false },
  { userId: 1, admin: false, external: true },
  { userId: 1, admin: true, external: false },
]
const request = { search: 'two "exact words"', today }

/** Steps over the memberships of the caller, which are few. */
const members = /^SCAN (link|held|\()/

async function plansFor(work: (q: Queries, caller: (typeof callers)[number]) => Promise<unknown>) {
  return plansOf(async (q) => {
    for (const caller of callers) await work(q, caller)
  })
}

function others(plan: readonly string[]): string[] {
  return costlySteps(plan).filter((step) => !members.test(step))
}

describe('the search of milestones', () => {
  it('reads all in the order of their ids, outside of a project or group', async () => {
    const scope: MilestoneSearchScope = { kind: 'anywhere' }
    const plans = await plansFor((q, caller) =>
      searchMilestones(q, { ...request, scope, caller }, page),
    )
    expect(plans.size).toBe(6)
    for (const [shape, plan] of plans) {
      expect(others(plan), shape).toEqual(['SCAN milestones'])
    }
  })

  it.each<[MilestoneSearchScope, RegExp]>([
    [{ kind: 'project', projectId: 1 }, /^SEARCH milestones USING INDEX milestones_projectId/],
    [{ kind: 'group', groupId: 1 }, /^SEARCH milestones USING INDEX milestones_(group|project)Id/],
  ])('reads those of the scope alone: %o', async (scope, index) => {
    const plans = await plansFor((q, caller) =>
      searchMilestones(q, { ...request, scope, caller }, page),
    )
    expect(plans.size).toBe(6)
    for (const [shape, plan] of plans) {
      // What is found is sorted: the ids are in the order of no index of the scope.
      expect(
        others(plan).filter((step) => !step.includes('FOR ORDER BY')),
        shape,
      ).toEqual([])
      expect(
        plan.some((step) => index.test(step)),
        plan.join('\n'),
      ).toBe(true)
    }
  })
})

describe('the search of snippets', () => {
  it('reads all in the order of their ids', async () => {
    const plans = await plansFor(async (q, caller) => {
      for (const within of ['titles', 'contents'] as const) {
        await searchSnippets(q, { ...request, within, caller }, page)
      }
    })
    expect(plans.size).toBe(12)
    for (const [shape, plan] of plans) expect(others(plan), shape).toEqual(['SCAN snippets'])
  })
})

describe('the search of comments', () => {
  it('reads those of the project alone', async () => {
    const plans = await plansFor((q, caller) =>
      searchNotes(q, { ...request, projectId: 1, caller }, page),
    )
    expect(plans.size).toBe(6)
    for (const [shape, plan] of plans) {
      expect(
        others(plan).filter((step) => !step.includes('FOR ORDER BY')),
        shape,
      ).toEqual([])
      expect(
        plan.some((step) => /^SEARCH notes USING INDEX notes_projectId/.test(step)),
        plan.join('\n'),
      ).toBe(true)
    }
  })
})
