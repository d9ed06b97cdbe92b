import { describe, expect, it } from 'vitest'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { listSubscribed } from './subscription-store.ts'

describe('listSubscribed', () => {
  it.each(['issue', 'merge_request', 'epic'] as const)(
    'finds comments of the user on an item by index, however many there are: %s',
    async (type) => {
      const plans = await plansOf((q) => listSubscribed(q, type, { userId: 1, ids: [1] }))
      const [plan = []] = [...plans.values()]
      expect([plans.size, costlySteps(plan)]).toEqual([1, []])
      expect(plan).toContainEqual(
        expect.stringMatching(/^SEARCH n .*\(noteableType=\? AND noteableId=\? AND authorId=\?\)$/),
      )
    },
  )
})
