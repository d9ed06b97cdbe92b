import { describe, expect, it } from 'vitest'
import { plansOf } from '../../testing/plans.ts'
import {
  findMailRecipient,
  listChosenLevels,
  listCommenters,
  listCommitCommenters,
  listItemSubscriptions,
  listLabelSubscribers,
} from './recipient-store.ts'
import { listPlaceMembers, listPossibleWatchers } from './watcher-store.ts'

describe('the queries for recipients', () => {
  it('find all rows by index, from the place, the item or the user', async () => {
    const place = { projectId: 1, namespaceId: 1 }
    const target = { targetType: 'issue', targetId: 1 } as const
    const plans = await plansOf(async (q) => {
      await listChosenLevels(q, { ...place, userIds: [1] })
      await listItemSubscriptions(q, target)
      await listLabelSubscribers(q, target)
      await listCommenters(q, { type: 'epic', id: 1 })
      await listCommitCommenters(q, { projectId: 1, commitId: 'a' })
      await findMailRecipient(q, 1)
      await listPossibleWatchers(q, { ...place, today: '', after: 0, limit: 1 })
      await listPossibleWatchers(q, { ...place, today: '', after: 0, limit: 1, customOnly: true })
      await listPlaceMembers(q, { ...place, today: '', after: 0, limit: 1 })
    })
    expect(plans.size).toBe(9)
    for (const [shape, plan] of plans) {
      const scans = plan.filter((step) => /^SCAN (?!json_each|\(?subquery|[wm]\b)/i.test(step))
      expect([shape, scans]).toEqual([shape, []])
    }
  })
})
