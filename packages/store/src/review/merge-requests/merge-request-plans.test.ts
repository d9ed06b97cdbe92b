import { describe, expect, it } from 'vitest'
import { listMergeRequestAssignees } from '../../planning/items/merge-request-finders.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { explainQuery } from '../../testing/explain.ts'
import { asTransaction, plansOf } from '../../testing/plans.ts'
import {
  findOpenBetween,
  listBranchesInUse,
  listCollaborationBranches,
  listOpenBySource,
  listOpenByTarget,
  listOpenFromProjects,
  listSharedBranches,
} from './merge-request-branches.ts'
import { listMergeRequestsOfCommit } from './merge-request-list.ts'
import { moveMergeRequests, removeMergeRequests } from './merge-request-removal.ts'
import { markBranchGone } from './merge-request-status.ts'
import { findMergeRequest } from './merge-request-store.ts'
import { listVersionCommits } from './merge-request-version-store.ts'

/** No table is scanned, and nothing is sorted. */
function expectIndexed(plan: readonly string[]): void {
  expect(plan.filter((step) => /^SCAN (?!(json_each|value)\b)/.test(step))).toEqual([])
  expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
}

describe('listMergeRequestsOfCommit', () => {
  it('joins from the commit to the merge requests, in the order of its index', async () => {
    const args = { projectId: 1, sha: 'a' }
    for (const page of [1, 1000]) {
      const plans = await plansOf((q) => listMergeRequestsOfCommit(q, args, { page, perPage: 20 }))
      expect(plans.size).toBe(2)
      for (const plan of plans.values()) {
        expect(plan.filter((step) => /^SCAN/.test(step))).toEqual([])
        expect(plan.join()).toContain(
          'mergeRequestCommits_projectId_sha_mergeRequestId_versionId_index',
        )
      }
      const [, rows] = [...plans.values()]
      if (page === 1) expectIndexed(rows ?? [])
    }
  })
})

describe('queries that find merge requests', () => {
  const branch = { projectId: 1, branch: 'main' }

  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['by number', (q) => findMergeRequest(q, { projectId: 1, iid: 1 })],
    ['by id, with what protects their branches', (q) => listCollaborationBranches(q, [1, 2])],
    ['by source branch', (q) => listOpenBySource(q, branch)],
    ['by target branch', (q) => listOpenByTarget(q, branch)],
    [
      'by a source branch that is gone',
      (q) => markBranchGone(q, { ...branch, side: 'source', limit: 10 }),
    ],
    [
      'by a target branch that is gone',
      (q) => markBranchGone(q, { ...branch, side: 'target', limit: 10 }),
    ],
    [
      'by both branches',
      (q) =>
        findOpenBetween(q, {
          sourceProjectId: 1,
          sourceBranch: 'topic',
          projectId: 1,
          targetBranch: 'main',
        }),
    ],
    ['by commit of a version', (q) => listVersionCommits(q, 1)],
  ])('reads an index: %s', async (_, work) => {
    for (const plan of (await plansOf(work)).values()) expectIndexed(plan)
  })

  it('read an index for the branches in use, the assignees and the users in them', async () => {
    const args = { from: 1, to: 2, limit: 10, userId: 1 }
    const works: ((q: Queries) => Promise<unknown>)[] = [
      (q) => listBranchesInUse(q, 1),
      (q) => listMergeRequestAssignees(q, [1, 2]),
      (q) => moveMergeRequests(asTransaction(q), args),
      (q) => removeMergeRequests(asTransaction(q), args),
      (q) => listOpenFromProjects(q, [1]),
      (q) => listSharedBranches(q, { projectId: 1, limit: 10 }),
    ]
    for (const work of works) {
      const plans = await plansOf(work)
      expect(plans.size).toBeGreaterThan(0)
      for (const plan of plans.values()) {
        expect(plan.filter((step) => /^SCAN mergeRequest/.test(step))).toEqual([])
      }
    }
  })
})

describe('the order of a list of merge requests', () => {
  const orders = ['createdAt', 'updatedAt'] as const
  const scopes = [undefined, 'projectId', 'authorId'] as const
  for (const scope of scopes) {
    for (const order of orders) {
      for (const state of scope === undefined ? [false] : [false, true]) {
        it(`is served by an index: ${scope ?? 'all'} by ${order}${state ? ' in a state' : ''}`, async () => {
          const plan = await explainQuery<{ id: number; state: 'opened' }>((db, $) => {
            const all = db.selectFrom('mergeRequests')
            const within = scope === undefined ? all : all.where(scope, '=', $('id'))
            const query = state ? within.where('state', '=', $('state')) : within
            return query.orderBy(order, 'desc').orderBy('id', 'desc').select('id').limit(20)
          })
          expect(plan).toHaveLength(1)
          const columns = [scope, state ? 'state' : undefined, order, 'id'].filter(Boolean)
          expect(plan[0]).toContain(`INDEX mergeRequests_${columns.join('_')}_index`)
        })
      }
    }
  }
})
