import { describe, expect, it } from 'vitest'
import { moveUserReferences } from '../../directory/users/user-references.ts'
import type { Transaction } from '../../platform/queries/queries.ts'
import {
  endMergeRequestAssignments,
  removeMergeRequests,
} from '../../review/merge-requests/merge-request-removal.ts'
import { findVersionBetween } from '../../review/merge-requests/merge-request-version-store.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import {
  countAwards,
  countAwardsOfNotes,
  findAward,
  findAwardOf,
  insertAward,
  listAwards,
  moveAwards,
  removeAwards,
} from '../awards/award-store.ts'
import { moveEpics, removeEpics } from '../epics/epic-removal.ts'
import { endIssueAssignments, moveIssues, removeIssues } from '../issues/issue-removal.ts'
import { removeLabelSubscriptions } from '../labels/label-removal.ts'
import { listHiddenSystemNotes } from '../notes/hidden-system-notes.ts'
import { deleteNotes, listCommitNotes, removeNotes } from '../notes/note-removal.ts'
import {
  convertToThread,
  hasOpenThreads,
  reopenNotes,
  resolveNotes,
} from '../notes/note-threads.ts'
import { listMentionedNames } from '../notes/system-note-names.ts'
import { removeSnippetsIn } from '../snippets/snippet-removal.ts'
import { removeTimeLogs } from '../time-tracking/time-log-removal.ts'
import { addToCount, countComment, lockItemRow } from './item-counts.ts'
import { deleteItemDependents, removeCodeSystemNotes } from './item-removal.ts'

/** Values of a row that every query is said to return. */
const row = {
  id: 1,
  targetType: 'issue',
  targetId: 1,
  name: 'thumbsup',
  issueId: 1,
  mergeRequestId: 1,
  projectId: 1,
  noteableType: 'issue',
  noteableId: 1,
  system: 0,
  state: 'opened',
  confidential: 0,
}

const page = { page: 1, perPage: 20 }
const issue = { type: 'issue', id: 1 } as const
const awardable = { targetType: 'issue', targetId: 1 } as const
const move = { from: 1, to: 2, limit: 10 }
const remove = { userId: 1, limit: 10 }
const note = { id: 1, noteableType: 'issue', noteableId: 1, system: 0 } as const
const mentioned = {
  userIds: [1],
  issueIds: [1],
  mergeRequestIds: [1],
  snippetIds: [1],
  epicIds: [1],
  projectIds: [1],
  milestoneIds: [1],
  milestoneProjectIds: [1],
}
const thread = { discussionId: 'a' }
const viewer = { userId: 1, admin: false, external: false }
const shas = { baseSha: 'a', startSha: 'b', headSha: 'c' }

describe('queries that read and delete notes, awards and other dependents', () => {
  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['awards of a target', (tx) => listAwards(tx, awardable, page)],
    ['an award', (tx) => findAward(tx, { ...awardable, id: 1 })],
    ['an award of a user', (tx) => findAwardOf(tx, { ...awardable, userId: 1, name: 'a' })],
    [
      'a new award',
      (tx) => insertAward(tx, { ...awardable, projectId: 1, userId: 1, name: 'thumbsup', now: 1 }),
    ],
    ['awards that change hands', (tx) => moveAwards(tx, move)],
    ['awards that go', (tx) => removeAwards(tx, remove)],
    [
      'hidden system notes',
      (tx) => listHiddenSystemNotes(tx, issue, { caller: viewer, today: 'x' }),
    ],
    ['names in system notes', (tx) => listMentionedNames(tx, mentioned)],
    ['a deleted note', (tx) => deleteNotes(tx, [note])],
    ['notes of a user that go', (tx) => removeNotes(tx, remove)],
    ['notes on commits', (tx) => listCommitNotes(tx, { projectId: 1, limit: 10 })],
    ['a comment that becomes a thread', (tx) => convertToThread(tx, thread)],
    ['a thread that is resolved', (tx) => resolveNotes(tx, { ...thread, userId: 1, now: 1 })],
    ['a thread that is opened', (tx) => reopenNotes(tx, thread)],
    ['open threads', (tx) => hasOpenThreads(tx, { mergeRequestId: 1 })],
    ['a count', (tx) => addToCount(tx, { type: 'issue', count: 'upvotes', ids: [1], by: 1 })],
    ['a new comment', (tx) => countComment(tx, { type: 'issue', id: 1, at: 1 })],
    ['a locked item', (tx) => lockItemRow(tx, { type: 'snippet', id: 1 })],
    [
      'dependents of issues',
      (tx) => deleteItemDependents(tx, { type: 'issue', ids: [1], limit: 9 }),
    ],
    [
      'dependents of requests',
      (tx) => deleteItemDependents(tx, { type: 'merge_request', ids: [1], limit: 9 }),
    ],
    [
      'dependents of snippets',
      (tx) => deleteItemDependents(tx, { type: 'snippet', ids: [1], limit: 9 }),
    ],
    ['dependents of epics', (tx) => deleteItemDependents(tx, { type: 'epic', ids: [1], limit: 9 })],
    ['system notes on code', (tx) => removeCodeSystemNotes(tx, { projectId: 1, limit: 10 })],
    ['issues that change hands', (tx) => moveIssues(tx, move)],
    ['issues of an author that go', (tx) => removeIssues(tx, { authorId: 1, limit: 10 })],
    ['issues of a project that go', (tx) => removeIssues(tx, { projectId: 1, limit: 10 })],
    ['assignments to issues', (tx) => endIssueAssignments(tx, remove)],
    ['requests of a project that go', (tx) => removeMergeRequests(tx, { projectId: 1, limit: 10 })],
    ['assignments to requests', (tx) => endMergeRequestAssignments(tx, remove)],
    ['a version', (tx) => findVersionBetween(tx, { mergeRequestId: 1, ...shas })],
    ['epics that change hands', (tx) => moveEpics(tx, move)],
    ['epics of an author that go', (tx) => removeEpics(tx, { authorId: 1, limit: 10 })],
    ['epics of a group that go', (tx) => removeEpics(tx, { groupId: 1, limit: 10 })],
    ['snippets of a project that go', (tx) => removeSnippetsIn(tx, { projectId: 1, limit: 10 })],
    ['time logs that go', (tx) => removeTimeLogs(tx, remove)],
    ['references that are moved to another user', (tx) => moveUserReferences(tx, move)],
    ['subscriptions to labels', (tx) => removeLabelSubscriptions(tx, { projectId: 1 })],
  ])('finds by an index: %s', async (_, work) => {
    const plans = await plansOf(work, row)
    expect(plans.size).toBeGreaterThan(0)
    for (const [shape, plan] of plans) {
      expect([shape, costlySteps(plan)]).toEqual([shape, []])
    }
  })

  it('lists the awards of a target in the order of an index', async () => {
    const plans = await plansOf((tx) => listAwards(tx, awardable, page), row)
    expect(plans.get('awards.list|page')).toEqual([
      expect.stringContaining('awards_targetType_targetId_id_index'),
    ])
  })

  it('counts the awards of a target and of its notes by an index', async () => {
    const counted = { ...awardable, userId: 1 }
    const notes = { noteableType: 'issue', noteableId: 1, noteIds: [1], userId: 1 } as const
    const plans = await plansOf(async (tx) => {
      await countAwards(tx, counted)
      await countAwardsOfNotes(tx, notes)
    }, row)
    expect(plans.get('awards.count')).toContainEqual(expect.stringContaining('SEARCH awards USING'))
    expect(plans.get('awards.count-of-notes')).toContainEqual(
      expect.stringContaining('SEARCH awards USING'),
    )
  })
})
