import { describe, expect, it } from 'vitest'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { listMilestoneMergeRequests } from '../../review/milestones/milestone-merge-requests.ts'
import { asTransaction, costlySteps, plansOf } from '../../testing/plans.ts'
import { listBoardLists } from '../boards/board-list-store.ts'
import { findBoard, listBoardLabels, listBoards } from '../boards/board-store.ts'
import { findItemsWithSystemNote } from '../notes/system-note-store.ts'
import { listBurndown } from './burndown-store.ts'
import {
  findUsableMilestoneById,
  findUsableMilestoneByTitle,
  listMilestonesById,
  listUnusableMilestoneIds,
} from './milestone-finders.ts'
import { listMilestoneIssues } from './milestone-issues.ts'
import { findMilestone, listMilestones, type MilestoneOwner } from './milestone-list.ts'
import {
  clearMilestone,
  completeMilestoneMerge,
  listMilestonesBelow,
  listProjectsWithMilestone,
  moveMilestoneItems,
} from './milestone-removal.ts'
import { listLostGroupMilestones, replaceMilestoneInProject } from './milestone-transfer.ts'
import { isMilestoneTitleTaken } from './milestone-writes.ts'

const scope = { projectId: 1, namespaceId: 1 }
// Of an empty list, the second page is counted too.
const page = { page: 2, perPage: 20 }
const removed = { action: 'milestone_changed', milestone: null } as const
const contents = {
  milestoneId: 1,
  caller: { userId: 1, admin: false, external: false },
  today: '2019-06-01',
}
const merge = { from: [1], into: 2 }
const inside = (work: (tx: Transaction) => Promise<unknown>) => (q: Queries) =>
  work(asTransaction(q))

async function expectIndexed(work: (q: Queries) => Promise<unknown>, mayScan = /(?!)/) {
  const plans = await plansOf(work)
  expect(plans.size).toBeGreaterThan(0)
  for (const [shape, plan] of plans) {
    const costly = costlySteps(plan).filter((step) => !mayScan.test(step))
    expect([shape, costly]).toEqual([shape, []])
  }
}

describe('lists of milestones', () => {
  const owners: MilestoneOwner[] = [{ projectId: 1 }, { groupId: 1 }]
  const filters = [{}, { state: 'active' }, { iids: [1] }, { title: 'a' }, { search: 'a' }] as const
  it.each(owners.flatMap((owner) => filters.map((filter) => [owner, filter] as const)))(
    'come in the order of an index: %o %o',
    async (owner, filter) => {
      // The iids and the title lead to the rows themselves, which are few.
      const isNamed = 'iids' in filter || 'title' in filter
      await expectIndexed(
        (q) => listMilestones(q, owner, filter, page),
        isNamed ? /FOR ORDER BY/ : undefined,
      )
    },
  )
})

describe('queries that find milestones and boards', () => {
  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['by id', (q) => listMilestonesById(q, [1])],
    ['one of a project', (q) => findMilestone(q, { projectId: 1 }, 1)],
    ['usable by id', (q) => findUsableMilestoneById(q, { ...scope, id: 1 })],
    ['usable by title', (q) => findUsableMilestoneByTitle(q, { ...scope, title: 'a' })],
    ['a title in a project', (q) => isMilestoneTitleTaken(q, scope, 'a')],
    ['a title in a group', (q) => isMilestoneTitleTaken(q, { groupId: 1 }, 'a')],
    ['those below a group', (q) => listMilestonesBelow(q, { groupId: 1, title: 'a' })],
    ['projects of what it has', (q) => listProjectsWithMilestone(q, { milestoneId: 1, limit: 9 })],
    [
      'system notes',
      (q) => findItemsWithSystemNote(q, { type: 'issue', ids: [1], note: removed, at: 0 }),
    ],
    ['those out of reach', (q) => listUnusableMilestoneIds(q, { ...scope, ids: [1] })],
    [
      'issues to clear',
      inside((tx) => clearMilestone(tx, 'issue', { milestoneId: 1, at: 0, limit: 9 })),
    ],
    [
      'requests to clear',
      inside((tx) => clearMilestone(tx, 'merge_request', { milestoneId: 1, at: 0, limit: 9 })),
    ],
    ['what gets another', inside((tx) => moveMilestoneItems(tx, { ...merge, limit: 9 }))],
    [
      'what gets another of a project',
      inside((tx) => moveMilestoneItems(tx, { ...merge, projectId: 1, limit: 9 })),
    ],
    ['what is merged', inside((tx) => completeMilestoneMerge(tx, merge))],
    [
      'what gets another in a project',
      inside((tx) => replaceMilestoneInProject(tx, { projectId: 1, from: 1, into: 2 })),
    ],
    ['boards', (q) => listBoards(q, { projectId: 1 }, page)],
    ['boards of a group', (q) => listBoards(q, { groupId: 1 }, page)],
    ['a board', (q) => findBoard(q, { projectId: 1 }, 1)],
    ['labels of boards', (q) => listBoardLabels(q, [1])],
  ])('reads indexes: %s', async (_, work) => expectIndexed(work))

  it('read indexes, and sort only few rows: board lists, lost milestones', async () => {
    await expectIndexed((q) => listLostGroupMilestones(q, scope), /FOR ORDER BY/)
    await expectIndexed((q) => listBoardLists(q, [1, 2]), /FOR ORDER BY/)
  })
})

describe('the items of a milestone', () => {
  // The caller's memberships, which are few.
  const members = /^SCAN (link|held|\()/
  it('are served in the order of an index', async () => {
    await expectIndexed((q) => listMilestoneIssues(q, contents, page), members)
    await expectIndexed((q) => listMilestoneMergeRequests(q, contents, page), members)
    await expectIndexed((q) => listBurndown(q, contents, 9), members)
  })
})
