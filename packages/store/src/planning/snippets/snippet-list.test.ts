import { describe, expect, it } from 'vitest'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { listPublicSnippets, listSnippetsOfAuthor, listSnippetsOfProject } from './snippet-list.ts'

const page = { page: 1, perPage: 20 }
const today = '2019-06-15'
const callers = [
  { userId: 1, admin: false, external: false },
  { userId: 1, admin: false, external: true },
  { userId: 1, admin: true, external: false },
  { userId: null, admin: false, external: false },
]

describe('the order of a list of snippets', () => {
  it('is served by an index', async () => {
    const plans = await plansOf(async (q) => {
      for (const caller of callers) {
        await listSnippetsOfAuthor(q, { authorId: 1, caller, today }, page)
        await listPublicSnippets(q, { caller, today }, page)
      }
      for (const reach of ['all', 'internal', 'public'] as const) {
        await listSnippetsOfProject(q, { projectId: 1, userId: 1, reach }, page)
      }
    })
    expect(plans.size).toBe(22)
    for (const [shape, plan] of plans) {
      expect(costlySteps(plan), shape).toEqual([])
      expect(plan[0], shape).toMatch(
        /^SEARCH snippets USING (COVERING )?INDEX snippets_(authorId|visibility|projectId)_id_index/,
      )
    }
  })
})
