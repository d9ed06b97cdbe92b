import { describe, expect, it } from 'vitest'
import type { Queries } from '../../platform/queries/queries.ts'
import { asTransaction, costlySteps, plansOf } from '../../testing/plans.ts'
import { listGroupReaders, listProjectReaders } from '../items/reader-store.ts'
import { listItemIds } from '../mentions/mentioned-parents-store.ts'
import { listGroupMemberIds, listMentionedUsers } from '../mentions/mentioned-users-store.ts'
import { listParticipantIds } from '../participants/participant-store.ts'
import { listSubscribed } from '../subscriptions/subscription-store.ts'
import { deleteHiddenTodos, finishTodosByFilter, listTodos, type TodoFilter } from './todo-list.ts'
import { deleteTodosOf, finishTodosOf, listTodoUsers, type TodoTarget } from './todo-store.ts'

const owner = { caller: { userId: 1, admin: false, external: false }, today: '2019-06-01' }

/** The first step of a plan that is not a sub-select of the predicate. */
async function entry(work: (q: Queries) => Promise<unknown>): Promise<string[]> {
  const plans = await plansOf(work)
  return [...plans.values()].flatMap((plan) => {
    expect(costlySteps(plan)).toEqual([])
    return plan[0] ?? []
  })
}

describe('listTodos', () => {
  const own = 'todos_userId_state'
  const filters: [string, TodoFilter, string][] = [
    ['nothing', { state: 'pending' }, `${own}_id_index`],
    ['the state', { state: 'done' }, `${own}_id_index`],
    ['the action', { state: 'pending', action: 'marked' }, `${own}_action_id_index`],
    ['the author', { state: 'pending', authorId: 1 }, `${own}_authorId_id_index`],
    ['the project', { state: 'pending', projectId: 1 }, `${own}_projectId_id_index`],
    ['the group', { state: 'pending', groupId: 1 }, `${own}_id_index`],
    ['the type', { state: 'pending', targetType: 'issue' }, `${own}_targetType_id_index`],
  ]
  it.each(filters)('has an index for %s, which gives the order', async (_, filter, index) => {
    // Of an empty list, the second page is counted too.
    const page = { page: 2, perPage: 20 }
    const plans = await plansOf((q) => listTodos(q, owner, filter, page))
    expect(plans.size).toBe(2)
    for (const [shape, plan] of plans) {
      expect(costlySteps(plan)).toEqual([])
      expect(plan[0]).toContain(shape.endsWith('|page') ? index : own)
    }
  })
})

describe('other queries of todos', () => {
  const issue: TodoTarget = { type: 'issue', id: 1, commitId: null, projectId: 1, groupId: null }
  const commit: TodoTarget = {
    type: 'commit',
    id: null,
    commitId: 'a',
    projectId: 1,
    groupId: null,
  }
  it.each([issue, commit])('use an index: %j', async (target) => {
    const steps = await entry(async (q) => {
      const tx = asTransaction(q)
      await finishTodosOf(tx, { target, userId: 1, at: 0 })
      await listTodoUsers(q, target)
      await deleteTodosOf(tx, { target, userIds: [1] })
      await finishTodosByFilter(tx, 1, { state: 'pending', projectId: 1 }, 0)
      await deleteHiddenTodos(tx, owner, 10)
    })
    expect(steps.every((step) => step.startsWith('SEARCH todos USING'))).toBe(true)
  })
})

describe('queries of users', () => {
  it('start with the requested users', async () => {
    const userIds = [1]
    const plans = await plansOf(async (q) => {
      await listProjectReaders(q, { projectId: 1, userIds, today: '' })
      await listGroupReaders(q, { groupId: 1, userIds, today: '' })
      await listMentionedUsers(q, ['a'])
      await listGroupMemberIds(q, { groupIds: [1], today: '', limit: 1 })
      await listItemIds(q, 'issue', [{ scopeId: 1, iid: 1 }])
      await listParticipantIds(q, { type: 'issue', id: 1 })
      await listParticipantIds(q, { type: 'merge_request', id: 1 })
      for (const type of ['issue', 'merge_request', 'epic', 'label'] as const) {
        await listSubscribed(q, type, { userId: 1, ids: [1] })
      }
    })
    expect(plans.size).toBe(11)
    for (const [shape, plan] of plans) {
      const full = plan.filter((step) => /^SCAN (?!json_each|value|r\b|\()/.test(step))
      expect([shape, full]).toEqual([shape, []])
    }
  })
})
