import { expect, it } from 'vitest'
import type { Transaction } from '../../platform/queries/queries.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import {
  type CopiedNote,
  copyAwards,
  copyMentions,
  copyNotes,
  copyReferences,
  copySubscriptions,
  findLastNoteId,
  listIssueNotes,
} from './issue-copies.ts'

const to = { type: 'epic', id: 2, projectId: null } as const
const note: CopiedNote = {
  ...{ id: 1, discussionId: 'a', type: null, authorId: 1, body: 'x', system: 0 },
  ...{ action: null, params: null, sourceType: null, sourceKey: null, sourceProjectId: null },
  ...{ createdAt: 1, updatedAt: 1 },
}

/** The rows of a statement's own argument, and the few awards of some notes. */
const own = /^SCAN item VIRTUAL TABLE|^USE TEMP B-TREE FOR ORDER BY$/

it.each<[string, (tx: Transaction) => Promise<unknown>]>([
  ['notes', (tx) => listIssueNotes(tx, { issueId: 1, after: note, through: 9, limit: 9 })],
  ['the last note', (tx) => findLastNoteId(tx, { issueId: 1 })],
  ['notes with mentions and awards', (tx) => copyNotes(tx, { from: 1, to }, [note])],
  ['awards', (tx) => copyAwards(tx, { from: { id: 1, upvotes: 1, downvotes: 0 }, to })],
  ['mentions', (tx) => copyMentions(tx, { from: 1, to })],
  ['references', (tx) => copyReferences(tx, { from: 1, to })],
  ['subscriptions', (tx) => copySubscriptions(tx, { from: 1, to, at: 1 })],
])('are found by an index for a copy of an issue: %s', async (name, work) => {
  const plans = await plansOf(work, { id: 1 })
  expect(plans.size).toBeGreaterThan(0)
  for (const [shape, plan] of plans) {
    const costly = costlySteps(plan)
    const found = name.includes('with') ? costly.filter((step) => !own.test(step)) : costly
    expect([shape, found]).toEqual([shape, []])
  }
})
