import { describe, expect, it } from 'vitest'
import type { Queries } from '../../platform/queries/queries.ts'
import { asTransaction, costlySteps, plansOf } from '../../testing/plans.ts'
import {
  deleteApprovalRule,
  hasApprovalRules,
  listApprovalRules,
  listRuleApprovers,
  setRuleApprovers,
  updateApprovalRule,
} from './approval-rule-store.ts'
import {
  deleteApproval,
  findApprovalSettings,
  listApprovals,
  removeApprovalsOf,
  resetApprovals,
} from './approval-store.ts'
import { listGroupMembers, listVisibleGroups } from './approver-store.ts'

const today = '2026-01-01'
const caller = { userId: 1, admin: false, external: false }
const approval = { mergeRequestId: 1, userId: 1 }

describe('queries of approvals', () => {
  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['findApprovalSettings', (q) => findApprovalSettings(q, 1)],
    ['listApprovalRules of a project', (q) => listApprovalRules(q, { projectId: 1 })],
    ['listApprovalRules of a merge request', (q) => listApprovalRules(q, { mergeRequestId: 1 })],
    ['hasApprovalRules', (q) => hasApprovalRules(q, 1)],
    ['listRuleApprovers', (q) => listRuleApprovers(q, [1, 2])],
    [
      'setRuleApprovers',
      (q) => setRuleApprovers(asTransaction(q), 1, { userIds: [1], groupIds: [1] }),
    ],
    [
      'updateApprovalRule',
      (q) => updateApprovalRule(asTransaction(q), { id: 1, name: 'a', approvalsRequired: 1 }),
    ],
    ['deleteApprovalRule', (q) => deleteApprovalRule(asTransaction(q), 1)],
    ['listApprovals', (q) => listApprovals(q, 1)],
    ['deleteApproval', (q) => deleteApproval(asTransaction(q), approval)],
    [
      'resetApprovals',
      (q) => resetApprovals(asTransaction(q), { mergeRequestId: 1, projectId: 1 }),
    ],
    ['removeApprovalsOf', (q) => removeApprovalsOf(asTransaction(q), { userId: 1, limit: 10 })],
    ['listGroupMembers', (q) => listGroupMembers(q, { groupIds: [1, 2], userIds: [1], today })],
    ['listVisibleGroups', (q) => listVisibleGroups(q, { ids: [1, 2], caller, today })],
  ])('scan no table: %s', async (_, work) => {
    const plans = await plansOf(work)
    expect(plans.size).toBeGreaterThan(0)
    for (const plan of plans.values()) {
      // What is sorted are the approvals and approvers of one merge request.
      expect(costlySteps(plan).filter((step) => step.startsWith('SCAN'))).toEqual([])
    }
  })
})
