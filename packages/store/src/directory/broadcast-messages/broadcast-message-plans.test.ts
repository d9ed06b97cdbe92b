import { describe, expect, it } from 'vitest'
import type { Queries } from '../../platform/queries/queries.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { findAppearance } from '../appearance/appearance-store.ts'
import { findFeature } from '../features/feature-store.ts'
import { listActiveBroadcastMessages } from './broadcast-message-store.ts'

describe('what each page and switch looks up', () => {
  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['active messages', (q) => listActiveBroadcastMessages(q, { now: 1, limit: 10 })],
    ['the appearance', findAppearance],
    ['a feature', (q) => findFeature(q, 'a')],
  ])('reads indexes: %s', async (_, work) => {
    for (const [shape, plan] of await plansOf(work)) {
      expect([shape, costlySteps(plan)]).toEqual([shape, []])
    }
  })
})
