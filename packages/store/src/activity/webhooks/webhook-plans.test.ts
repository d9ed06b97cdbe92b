import { describe, expect, it } from 'vitest'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import { findSampleIssue, findSampleMergeRequest, listSampleNotes } from './hook-sample-store.ts'
import { findListeningWebhooks, findSystemWebhooks } from './listening-webhook-store.ts'
import { hasSystemWebhooks } from './system-hook-store.ts'
import {
  listDeliveries,
  removeDeliveriesOf,
  removeWebhookEventsOf,
} from './webhook-delivery-store.ts'
import {
  findDeliveringHook,
  findNextDueAt,
  giveUpDeliveries,
  listDueDeliveries,
  listLateHooks,
} from './webhook-lane-store.ts'
import { countWebhooks, type HookOwner, listWebhooks } from './webhook-store.ts'

// Of an empty list, the second page is counted too.
const page = { page: 2, perPage: 20 }
const owners: HookOwner[] = [
  { kind: 'project', id: 1 },
  { kind: 'group', id: 1 },
  { kind: 'system' },
]

describe('queries of webhooks', () => {
  it.each<[string, (q: Transaction) => Promise<unknown>]>([
    ...owners.map((owner): [string, (q: Queries) => Promise<unknown>] => [
      `the hooks of a ${owner.kind}`,
      async (q) => [await listWebhooks(q, owner, page), await countWebhooks(q, owner)],
    ]),
    ['system hooks of an event', (q) => findSystemWebhooks(q, 1)],
    ['whether there are system hooks', (q) => hasSystemWebhooks(q)],
    ['the log', (q) => listDeliveries(q, 1, page)],
    ['the hook of a job', (q) => findDeliveringHook(q, 1)],
    ['what is due', (q) => listDueDeliveries(q, { webhookId: 1, now: 1, limit: 4 })],
    ['what is due next', (q) => findNextDueAt(q, 1)],
    ['late hooks', (q) => listLateHooks(q, { before: 1, limit: 9 })],
    [
      'what is given up',
      (tx) => giveUpDeliveries(tx, { webhookId: 1, cutoff: 1, limit: 9, now: 1, error: '' }),
    ],
    ['what goes with a hook', (tx) => removeDeliveriesOf(tx, { webhookId: 1, limit: 9 })],
    ['what goes with a project', (tx) => removeWebhookEventsOf(tx, { projectId: 1, limit: 9 })],
    ['a sample issue', (q) => findSampleIssue(q, { projectId: 1, confidential: true })],
    ['a sample merge request', (q) => findSampleMergeRequest(q, 1)],
    ['sample notes', (q) => listSampleNotes(q, { projectId: 1, limit: 9 })],
  ])('read indexes: %s', async (_, work) => {
    for (const [shape, plan] of await plansOf(work)) {
      // The index of system hooks has nothing but them.
      const costly = costlySteps(plan).filter(
        (step) => !step.endsWith('webhooks_kind_system_index'),
      )
      expect([shape, costly]).toEqual([shape, []])
    }
  })

  it('find the hooks of an event by three seeks', async () => {
    const event = { projectId: 1, at: 1 }
    const plans = await plansOf((q) =>
      findListeningWebhooks(q, { ...event, listensTo: 'push_events' }),
    )
    const steps = [...plans.values()].flat().filter((step) => /webhooks/.test(step))
    expect(steps).toEqual([
      expect.stringMatching(/^SEARCH webhooks USING INDEX webhooks_projectId_id_index/),
      expect.stringMatching(/^SEARCH webhooks USING INDEX webhooks_groupId_id_index/),
      expect.stringMatching(/USING INDEX webhooks_kind_system_index/),
    ])
    const own = await plansOf((q) =>
      findListeningWebhooks(q, { ...event, listensTo: 'issues_events' }),
    )
    expect([...own.values()].flat().join()).not.toContain('system')
  })

  it('find what is due without reading what was delivered', async () => {
    const plans = await plansOf((q) => listDueDeliveries(q, { webhookId: 1, now: 1, limit: 4 }))
    expect([...plans.values()].flat().join()).toContain(
      'webhookDeliveries_webhookId_dueAt_id_index',
    )
  })
})
