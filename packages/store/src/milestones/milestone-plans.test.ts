import { describe, expect, it } from 'vitest'
import { listBoardColumns } from '../boards/board-column-store.ts'
import { findBoard, listBoardLabels, listBoards } from '../boards/board-store.ts'
import type { Queries, Transaction } from '../queries.ts'
import { costlySteps, plansOf } from '../testing/plans.ts'
import { listBurndownIssues, listBurndownTurns } from './burndown-store.ts'
import { listMilestoneIssues, listMilestoneMergeRequests } from './milestone-contents.ts'
import {
  findMilestonesById,
  findUsableMilestoneById,
  findUsableMilestoneByTitle,
} from './milestone-finders.ts'
import { findMilestone, listMilestones, type MilestoneOwner } from './milestone-list.ts'
import {
  clearMilestone,
  listMilestonesBelow,
  listPlannedProjects,
  listRemarked,
  replaceMilestones,
} from './milestone-removal.ts'
import { listMilestonesLeftBehind, replaceMilestoneInProject } from './milestone-transfer.ts'
import { isMilestoneTitleTaken } from './milestone-writes.ts'

const scope = { projectId: 1, namespaceId: 1 }
const page = { page: 1, perPage: 20 }
const contents = {
  milestoneId: 1,
  caller: { userId: 1, admin: false, external: false },
  today: '2019-06-01',
}
const inside = (work: (tx: Transaction) => Promise<unknown>) => (q: Queries) =>
  work({ ...q, onCommit: () => undefined })

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
      // The numbers and the title lead to the rows themselves, which are few.
      const isNamed = 'iids' in filter || 'title' in filter
      await expectIndexed(
        (q) => listMilestones(q, owner, filter, page),
        isNamed ? /FOR ORDER BY/ : undefined,
      )
    },
  )
})

describe('what looks for milestones and boards', () => {
  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['by id', (q) => findMilestonesById(q, [1])],
    ['one of a project', (q) => findMilestone(q, { projectId: 1 }, 1)],
    ['usable by id', (q) => findUsableMilestoneById(q, { ...scope, id: 1 })],
    ['usable by title', (q) => findUsableMilestoneByTitle(q, { ...scope, title: 'a' })],
    ['a title in a project', (q) => isMilestoneTitleTaken(q, scope, 'a')],
    ['a title in a group', (q) => isMilestoneTitleTaken(q, { groupId: 1 }, 'a')],
    ['those below a group', (q) => listMilestonesBelow(q, { groupId: 1, title: 'a' })],
    ['projects of what it has', (q) => listPlannedProjects(q, { milestoneId: 1, limit: 9 })],
    ['remarks', (q) => listRemarked(q, { type: 'issue', ids: [1], body: 'a', at: 0 })],
    ['issues to clear', inside((tx) => clearMilestone(tx, 'issue', { milestoneId: 1, at: 0 }))],
    [
      'requests to clear',
      inside((tx) => clearMilestone(tx, 'merge_request', { milestoneId: 1, at: 0 })),
    ],
    ['what gets another', inside((tx) => replaceMilestones(tx, { from: [1], into: 2 }))],
    [
      'what gets another in a project',
      inside((tx) => replaceMilestoneInProject(tx, { projectId: 1, from: 1, into: 2 })),
    ],
    ['boards', (q) => listBoards(q, { projectId: 1 }, page)],
    ['boards of a group', (q) => listBoards(q, { groupId: 1 }, page)],
    ['a board', (q) => findBoard(q, { projectId: 1 }, 1)],
    ['labels of boards', (q) => listBoardLabels(q, [1])],
  ])('reads indexes: %s', async (_, work) => expectIndexed(work))

  it('reads indexes, and sorts few: columns of boards, turns of issues, those left behind', async () => {
    await expectIndexed((q) => listMilestonesLeftBehind(q, scope), /FOR ORDER BY/)
    await expectIndexed((q) => listBoardColumns(q, [1, 2]), /FOR ORDER BY/)
    await expectIndexed((q) => listBurndownTurns(q, [1], 9), /FOR ORDER BY/)
  })
})

describe('what has a milestone', () => {
  // Memberships of the caller, of which there are few.
  const members = /^SCAN (link|held|\()/
  it('comes in the order of an index', async () => {
    await expectIndexed((q) => listMilestoneIssues(q, contents, page), members)
    await expectIndexed((q) => listMilestoneMergeRequests(q, contents, page), members)
    await expectIndexed((q) => listBurndownIssues(q, contents, 9), members)
  })
})
