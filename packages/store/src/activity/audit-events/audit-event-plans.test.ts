import { describe, expect, it } from 'vitest'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { findAuditEvent, listAuditEvents } from './audit-event-store.ts'

const page = { page: 1, perPage: 20 }
const times = { createdAfter: 1, createdBefore: 2 }

describe('queries of audit events', () => {
  it.each([
    ['all', times, 'auditEvents_createdAt_id_index'],
    ['of a type', { entityType: 'Group', ...times }, 'auditEvents_entityType_createdAt_id_index'],
    [
      'of an entity',
      { entityType: 'Project', entityId: 1, ...times },
      'auditEvents_entityId_createdAt_id_index',
    ],
  ] as const)('use the index of their list: %s', async (_, filter, index) => {
    const plans = await plansOf((q) => listAuditEvents(q, filter, page))
    expect(plans.size).toBe(2)
    for (const [shape, plan] of plans) {
      expect([shape, costlySteps(plan)]).toEqual([shape, []])
      expect(plan.join('\n')).toContain(index)
    }
  })

  it('find one by its id', async () => {
    const plans = await plansOf((q) => findAuditEvent(q, 1, { entityType: 'Group', entityId: 1 }))
    for (const [, plan] of plans) expect(plan).toEqual([expect.stringContaining('rowid=?')])
  })
})
