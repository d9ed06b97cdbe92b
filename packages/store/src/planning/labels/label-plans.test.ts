import { describe, expect, it } from 'vitest'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { asTransaction, costlySteps, plansOf } from '../../testing/plans.ts'
import {
  copyLabelEvents,
  findLabelEvent,
  listLabelEvents,
} from '../label-events/label-event-store.ts'
import { findGroupLabelsByTitle, findLabelsByTitle } from './label-finders.ts'
import { deleteLabelLinks, deleteOtherLabelLinks, listLabelsOf } from './label-links.ts'
import {
  findGroupLabel,
  findProjectLabel,
  listGroupLabels,
  listProjectLabels,
} from './label-list.ts'
import { moveLabelEvents, moveLabelLinks } from './label-merge.ts'
import { completeLabelMerge, listLabelsBelow } from './label-promotion.ts'
import { deleteLabels } from './label-writes.ts'

const scope = { projectId: 1, namespaceId: 1 }
// Of an empty list, the second page is counted too.
const page = { page: 2, perPage: 20 }
const issue = { type: 'issue', id: 1 } as const
const merge = { from: [1], into: 2, limit: 9 }
const inside = (work: (tx: Transaction) => Promise<unknown>) => (q: Queries) =>
  work(asTransaction(q))

describe('queries that find labels', () => {
  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['by title in a project', (q) => findLabelsByTitle(q, { ...scope, titles: ['a'] })],
    ['by title in a group', (q) => findGroupLabelsByTitle(q, { groupId: 1, titles: ['a'] })],
    ['one of a project by title', (q) => findProjectLabel(q, scope, { title: 'a' })],
    ['one of a project by id', (q) => findProjectLabel(q, scope, { id: 1 })],
    ['one of a group', (q) => findGroupLabel(q, 1, { title: 'a' })],
    ['those of a title below a group', (q) => listLabelsBelow(q, { groupId: 1, title: 'a' })],
    ['the events of an issue', (q) => listLabelEvents(q, issue, page)],
    ['those of a period', (q) => listLabelEvents(q, { ...issue, after: 1, before: 2 }, page)],
    ['an event', (q) => findLabelEvent(q, { ...issue, eventId: 1 })],
    ['links to take', inside((tx) => deleteLabelLinks(tx, issue, [1]))],
    ['links to keep', inside((tx) => deleteOtherLabelLinks(tx, issue, [1]))],
    ['labels to delete', inside((tx) => deleteLabels(tx, [1]))],
    ['links to move', inside((tx) => moveLabelLinks(tx, merge))],
    ['links of a project to move', inside((tx) => moveLabelLinks(tx, { ...merge, projectId: 1 }))],
    ['events to move', inside((tx) => moveLabelEvents(tx, merge))],
    [
      'events of a project to move',
      inside((tx) => moveLabelEvents(tx, { ...merge, projectId: 1 })),
    ],
    ['labels to merge', inside((tx) => completeLabelMerge(tx, merge))],
    [
      'events to copy',
      inside((tx) => copyLabelEvents(tx, issue, { ...issue, projectId: 1, createdAt: 0 }, [1])),
    ],
  ])('reads indexes: %s', async (_, work) => {
    const plans = await plansOf(work)
    expect(plans.size).toBeGreaterThan(0)
    for (const [shape, plan] of plans) expect([shape, costlySteps(plan)]).toEqual([shape, []])
  })

  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['of a project', (q) => listProjectLabels(q, scope, undefined, page)],
    ['of a project by title', (q) => listProjectLabels(q, scope, 'a', page)],
    ['of a group', (q) => listGroupLabels(q, 1, { isOwn: false }, page)],
    ['of a group alone', (q) => listGroupLabels(q, 1, { isOwn: true }, page)],
    ['of issues', (q) => listLabelsOf(q, { type: 'issue', ids: [1, 2] })],
  ])('reads no table from end to end, and sorts the few that there are: %s', async (_, work) => {
    for (const [shape, plan] of await plansOf(work)) {
      const scans = costlySteps(plan).filter((step) => step.startsWith('SCAN'))
      expect([shape, scans]).toEqual([shape, []])
    }
  })
})
