import { describe, expect, it } from 'vitest'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { asTransaction, costlySteps, plansOf } from '../../testing/plans.ts'
import {
  findEpicIssue,
  hasEpicIssueBetween,
  listEpicIssues,
} from '../epic-issues/epic-issue-list.ts'
import {
  findEpicIssueLink,
  moveEpicIssue,
  putIssueIntoEpic,
  replaceIssueInEpic,
  takeIssueFromEpic,
  takeIssuesOfLeftGroups,
} from '../epic-issues/epic-issue-store.ts'
import {
  findChildPosition,
  hasChildBetween,
  listChildEpics,
} from '../epic-links/epic-link-store.ts'
import {
  listEpicIdsOfIssues,
  listEpicIdsOfMilestone,
  removeIssuesFromEpics,
  touchEpicDates,
} from './epic-dates.ts'
import { detachEpics } from './epic-removal.ts'
import { rollUpEpic } from './epic-roll-up.ts'
import { hasEpicsBelow, isGroupWithin, listEpicLine, setEpicParent } from './epic-tree-store.ts'

const callers = [
  { userId: null, admin: false, external: false },
  { userId: 1, admin: false, external: false },
  { userId: 1, admin: true, external: false },
]
const today = '2019-06-01'
const page = { page: 1, perPage: 20 }
const between = { after: 1, before: 2, exceptId: 1 }
const issue = { id: 1, projectId: 1, milestoneId: 1 }

const inside = (work: (tx: Transaction) => Promise<unknown>) => (q: Queries) =>
  work(asTransaction(q))

/** What is read of some work's own rows, after an index led to these. */
const ownRows = /^SCAN (spaced|\(subquery-\d+\))$/

async function expectIndexed(work: (q: Queries) => Promise<unknown>, found?: object) {
  const plans = await plansOf(work, found)
  expect(plans.size).toBeGreaterThan(0)
  for (const [shape, plan] of plans) {
    const costly = costlySteps(plan).filter((step) => !ownRows.test(step))
    expect([shape, costly]).toEqual([shape, []])
  }
  return plans
}

describe.each(callers)('lists for %o', (caller) => {
  const children = { parentId: 1, caller, today }
  const issues = { epicId: 1, caller, today }
  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['children', (q) => listChildEpics(q, children, page)],
    ['a child', (q) => findChildPosition(q, children, 1)],
    ['children between', (q) => hasChildBetween(q, children, between)],
    ['issues', (q) => listEpicIssues(q, issues, page)],
    ['an issue', (q) => findEpicIssue(q, { ...issues, id: 1 })],
    ['issues between', (q) => hasEpicIssueBetween(q, issues, between)],
  ])('come in the order of an index: %s', async (_, work) => {
    await expectIndexed(work)
  })

  it('of what is below an epic start from the epic, in one query', async () => {
    const plans = await plansOf((q) => rollUpEpic(q, { epicId: 1, caller, today }))
    expect(plans.size).toBe(1)
    const steps = [...plans.values()].flat()
    expect(steps.filter((step) => /^SCAN (?!tree\b)/.test(step))).toEqual([])
    expect(steps).toContain(
      'SEARCH epics USING INDEX epics_parentId_relativePosition_id_index (parentId=?)',
    )
  })
})

describe('queries of trees, dates and links of epics', () => {
  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['a group within', (q) => isGroupWithin(q, { groupId: 1, ancestorId: 1 })],
    ['a new parent', inside((tx) => setEpicParent(tx, { id: 1, parentId: 1, at: 1 }))],
    ['epics of issues', (q) => listEpicIdsOfIssues(q, [1])],
    [
      'epics of a milestone',
      (q) => listEpicIdsOfMilestone(q, { milestoneId: 1, after: 0, limit: 9 }),
    ],
    ['deleted issues', inside((tx) => removeIssuesFromEpics(tx, [1]))],
    ['deleted epics', inside((tx) => detachEpics(tx, { ids: [1], limit: 9 }))],
    ['the link of an issue', (q) => findEpicIssueLink(q, 1)],
    [
      'an issue taken out',
      inside((tx) => takeIssueFromEpic(tx, { id: 1, epicId: 1, projectId: 1 })),
    ],
    ['another issue', inside((tx) => replaceIssueInEpic(tx, { id: 1, epicId: 1 }, issue))],
    [
      'issues of a transferred project',
      inside((tx) => takeIssuesOfLeftGroups(tx, { projectId: 1, after: 0, limit: 9 })),
    ],
  ])('use an index: %s', async (_, work) => {
    await expectIndexed(work)
  })

  it('use an index: an issue put in', async () => {
    const put = (tx: Transaction) =>
      putIssueIntoEpic(tx, issue, { epicId: 1, former: undefined, at: 1 })
    await expectIndexed(inside(put), { id: 1, position: 1 })
  })

  it('use an index: a move', async () => {
    const to = { siblingId: 2, side: 'before' } as const
    // Found positions are all the same, so that there is no gap.
    const move = (tx: Transaction) => moveEpicIssue(tx, { epicId: 1, id: 1, to }).catch(() => false)
    const plans = await expectIndexed(inside(move), { relativePosition: 1 })
    expect([...plans.keys()]).toContain('order.positions|epicIssues|before')
  })

  it('read the dates of an epic from the index of its milestones', async () => {
    const plans = await plansOf(async (tx) => touchEpicDates(tx, [1]), { id: 1 })
    const refresh = plans.get('epics.refresh-dates') ?? []
    const index =
      'SEARCH i USING COVERING INDEX epicIssues_epicId_milestoneId_index (epicId=? AND milestoneId>?)'
    expect(refresh.filter((step) => step === index)).toHaveLength(2)
    expect(costlySteps(refresh)).toEqual([])
  })

  it.each<[string, (q: Queries) => Promise<unknown>, RegExp]>([
    ['the line above', (q) => listEpicLine(q, 1), /^SCAN line$|FOR ORDER BY/],
    ['levels below', (q) => hasEpicsBelow(q, { id: 1, levels: 2 }), /^SCAN below$/],
  ])('walk the tree by an index: %s', async (_, work, known) => {
    const plans = await plansOf(work)
    const steps = [...plans.values()].flat()
    expect(costlySteps(steps).filter((step) => !known.test(step))).toEqual([])
  })
})
