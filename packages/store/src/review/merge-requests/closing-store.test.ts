import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findUserIdByEmail } from '../../directory/users/user-by-email.ts'
import { findIssuesById } from '../../planning/issues/issue-finders.ts'
import { insertIssue } from '../../planning/issues/issue-store.ts'
import { listNumberedMilestones } from '../../planning/milestones/milestone-references.ts'
import { hasIssueSystemNote } from '../../planning/notes/system-note-store.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import {
  buildNamespace,
  buildProject,
  buildUser,
  openTestDatabase,
  someTime,
  type TestDatabase,
} from '../../testing/index.ts'
import { buildMergeRequest } from '../../testing/merge-requests.ts'
import { asTransaction, plansOf } from '../../testing/plans.ts'
import {
  deleteClosings,
  findRelatedRequestIds,
  listClosingRequests,
  listVisibleRequests,
  setClosings,
} from './closing-store.ts'
import { closeMergeRequest } from './merge-request-store.ts'
import { listMergedCommits } from './merged-commits.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

async function buildIssues(count: number) {
  const author = await buildUser(db)
  const project = await buildProject(db, await buildNamespace(db))
  const ids: number[] = []
  for (let made = 0; made < count; made += 1) {
    const { id } = await db.transaction((tx) =>
      insertIssue(tx, {
        projectId: project.id,
        authorId: author.id,
        title: 'An issue',
        description: null,
        state: 'opened',
        confidential: 0,
        discussionLocked: null,
        milestoneId: null,
        dueDate: null,
        weight: null,
        taskCount: 0,
        taskDoneCount: 0,
        assigneeCount: 0,
        closedById: null,
        closedAt: null,
        createdAt: someTime,
        updatedAt: someTime,
      }),
    )
    ids.push(id)
  }
  return { author, project, ids }
}

async function countsOf(ids: readonly number[]): Promise<number[]> {
  const rows = await findIssuesById(db, ids)
  return ids.map((id) => rows.find((row) => row.id === id)?.mergeRequestsCount ?? -1)
}

describe('setClosings', () => {
  it('counts added and removed closings once', async () => {
    const { author, project, ids } = await buildIssues(3)
    const [a = 0, b = 0, c = 0] = ids
    const one = await buildMergeRequest(db, project, author)
    const two = await buildMergeRequest(db, project, author)
    const set = (id: number, issueIds: number[]) =>
      db.transaction((tx) => setClosings(tx, { id, issueIds }))
    await set(one.id, [a, b, b])
    await set(two.id, [b])
    expect(await countsOf(ids)).toEqual([1, 2, 0])
    await set(one.id, [b, c])
    await set(one.id, [b, c])
    expect(await countsOf(ids)).toEqual([0, 2, 1])
    await db.transaction((tx) => deleteClosings(tx, [one.id, two.id]))
    await db.transaction((tx) => deleteClosings(tx, [one.id, two.id]))
    expect(await countsOf(ids)).toEqual([0, 0, 0])
  })

  it('stores none for a merge request that is not open', async () => {
    const { author, project, ids } = await buildIssues(1)
    const { id } = await buildMergeRequest(db, project, author)
    await db.transaction((tx) => setClosings(tx, { id, issueIds: ids }))
    await db.transaction((tx) => closeMergeRequest(tx, { id, userId: author.id, now: someTime }))
    await db.transaction((tx) => setClosings(tx, { id, issueIds: ids }))
    expect(await countsOf(ids)).toEqual([0])
  })
})

describe('queries that find closing and related merge requests', () => {
  const caller = { userId: 1, admin: false, external: false }
  const today = '2019-06-15'
  const page = { page: 1, perPage: 20 }
  const source = { type: 'merge_request', key: '1', projectId: 1 } as const

  it.each<[string, (q: Queries) => Promise<unknown>]>([
    [
      'closings of an issue',
      (q) => listClosingRequests(q, { issueId: 1, projectId: 1, caller, today }, page),
    ],
    ['requests by id', (q) => listVisibleRequests(q, { ids: [1], caller, today }, page)],
    ['related requests', (q) => findRelatedRequestIds(q, 1)],
    ['merged commits', (q) => listMergedCommits(q, { projectId: 1, shas: ['a'] })],
    ['a system note', (q) => hasIssueSystemNote(q, { issueId: 1, action: 'closed', source })],
    ['an address', (q) => findUserIdByEmail(q, 'a@example.com')],
    [
      'milestones by their numbers',
      (q) => listNumberedMilestones(q, { projectIds: [1], groupIds: [1], iids: [1] }),
    ],
    ['closings to drop', (q) => deleteClosings(asTransaction(q), [1])],
    ['closings to set', (q) => setClosings(asTransaction(q), { id: 1, issueIds: [1] })],
  ])('reads an index: %s', async (_, work) => {
    const steps = [...(await plansOf(work)).values()].flat()
    expect(steps.length).toBeGreaterThan(0)
    const tables = 'mergeRequest\\w*|issues|crossReferences|notes|users|milestones'
    expect(steps.filter((step) => new RegExp(`SCAN (${tables})\\b`).test(step))).toEqual([])
  })
})
