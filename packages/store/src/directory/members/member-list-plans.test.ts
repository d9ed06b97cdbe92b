import { describe, expect, it } from 'vitest'
import { plansOf } from '../../testing/plans.ts'
import { findMember, listMembers } from './member-list.ts'

const today = '2019-06-15'
const group = { kind: 'group', groupId: 1 } as const
const project = { kind: 'project', projectId: 1, namespaceId: 1 } as const
const caller = { userId: 2, admin: false, external: false }
const lists = [group, project].flatMap((of) => [
  { of, inherited: false, today },
  { of, inherited: true, today },
  { of: { ...of, sharesVisibleTo: caller }, inherited: true, today },
])

describe('lists of members', () => {
  it.each(lists)('read the members of the groups alone: %j', async (filter) => {
    const plans = await plansOf(async (q) => {
      await findMember(q, { ...filter, userId: 2 })
      for (const search of [undefined, 'word']) {
        await listMembers(q, { ...filter, search }, { page: 1, perPage: 20 })
      }
    })
    expect(plans.size).toBeGreaterThanOrEqual(3)
    for (const [shape, plan] of plans) {
      const tables = plan.filter((step) => /^(?:SCAN|SEARCH) (?:m|link|a|g|users)\b/.test(step))
      expect([shape, tables]).not.toEqual([shape, []])
      expect([shape, tables.filter((step) => step.startsWith('SCAN'))]).toEqual([shape, []])
      const ofUsers = shape.startsWith('members.these')
      for (const step of tables.filter((step) => step.startsWith('SEARCH m '))) {
        expect([shape, step.includes('AND userId=?')]).toEqual([shape, ofUsers])
      }
    }
  })
})
