import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../platform/queries/queries.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import {
  countPagesDomains,
  findPagesDomain,
  listPagesDomains,
  takeDueDomains,
} from './pages-domain-store.ts'

// Of an empty list, the second page is counted too.
const page = { page: 2, perPage: 20 }

describe('queries of pages domains', () => {
  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['the domains of a project', (tx) => listPagesDomains(tx, { projectId: 1 }, page)],
    ['how many a project has', (tx) => countPagesDomains(tx, 1)],
    ['one', (tx) => findPagesDomain(tx, { projectId: 1, domain: 'a' })],
    ['those to verify', (tx) => takeDueDomains(tx, { now: 1, next: 2, limit: 10 })],
  ])('read indexes, and sort nothing: %s', async (_, work) => {
    const plans = await plansOf(work)
    expect(plans.size).toBeGreaterThan(0)
    for (const [shape, plan] of plans) expect([shape, costlySteps(plan)]).toEqual([shape, []])
  })

  it('list those of all in the order of an index', async () => {
    const plans = await plansOf((tx) => listPagesDomains(tx, {}, page))
    expect(plans.get('pages-domains.of-all|page')).toEqual([
      'SCAN pagesDomains USING INDEX pagesDomains_domain_key',
    ])
  })
})
