import { describe, expect, it } from 'vitest'
import { issueTable } from '../../planning/issues/issue-list.ts'
import { listedIssueColumns } from '../../planning/issues/issue-row.ts'
import { listedMergeRequestColumns } from '../../planning/items/merge-request-row.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { mergeRequestTable } from '../../review/merge-requests/work-item-table.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { lists, searchPlansOf } from '../../testing/work-item-plans.ts'
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
  /** The query of a page behind the end, so that the total is counted, too. */
  const plansOfNotes = (search: string) =>
    plansFor((q, caller) =>
      searchNotes(
        q,
        { ...request, search, projectId: 1, caller, totalMs: 1000 },
        { page: 2, perPage: 20 },
      ),
    )

  it('goes from the index of words to the comments, and sorts nothing', async () => {
    const plans = await plansOfNotes('two "exact words" x')
    expect(plans.size).toBe(6)
    for (const [shape, plan] of plans) {
      const steps = others(plan).filter((step) => !/^SCAN some/.test(step))
      expect(steps, shape).toEqual([expect.stringMatching(/^SCAN noteTexts VIRTUAL TABLE INDEX/)])
      expect(plan, shape).toContain('SEARCH notes USING INTEGER PRIMARY KEY (rowid=?)')
    }
  })

  it('reads those of the project alone without a word of three letters', async () => {
    const plans = await plansOfNotes('ab')
    expect(plans.size).toBe(6)
    for (const [shape, plan] of plans) {
      expect(
        others(plan).filter((step) => !/FOR ORDER BY|^SCAN some/.test(step)),
        shape,
      ).toEqual([])
      expect(
        plan.some((step) => /^SEARCH notes USING INDEX notes_projectId/.test(step)),
        plan.join('\n'),
      ).toBe(true)
    }
  })
})

describe.each([
  ['issues', 'issueTexts', { table: issueTable, columns: listedIssueColumns }],
  [
    'mergeRequests',
    'mergeRequestTexts',
    { table: mergeRequestTable, columns: listedMergeRequestColumns },
  ],
] as const)('the search of %s', (name, texts, listed) => {
  const byId = `SEARCH ${name} USING INTEGER PRIMARY KEY (rowid=?)`
  const byWords = new RegExp(`^SCAN ${texts} VIRTUAL TABLE INDEX`)

  it.each(lists)('in a large %s goes from the index of words to the items', async (...list) => {
    const [, scope, partitions] = list
    const plans = await searchPlansOf(listed, scope, 'two "exact words"', { partitions })
    for (const query of ['page', 'count']) {
      const plan = plans.get(query) ?? []
      expect(plan[query === 'count' ? 1 : 0], plan.join('\n')).toMatch(byWords)
      expect(plan, plan.join('\n')).toContain(byId)
      expect(plan.filter((step) => step.includes('ORDER BY'))).toEqual([])
    }
  })

  it.each(lists.slice(0, 2))('in a small %s reads its items', async (...list) => {
    const [, scope, partitions] = list
    const plans = await searchPlansOf(listed, scope, 'words', { partitions, total: 500 })
    for (const query of ['page', 'count']) {
      const plan = plans.get(query) ?? []
      const index = new RegExp(`^SEARCH ${name} USING (COVERING )?INDEX ${name}_projectId_`)
      expect(
        plan.some((step) => index.test(step)),
        plan.join('\n'),
      ).toBe(true)
      expect(plan.filter((step) => byWords.test(step))).toEqual([])
    }
  })
})
