import { z } from 'zod'
import { Group } from '../../directory/groups/group.schema.ts'
import { UserRef } from '../../directory/users/user.schema.ts'
import { MergeRequest } from '../../planning/items/merge-request.schema.ts'

const Approver = z.object({ user: UserRef })
const ApproverGroup = z.object({ group: Group })

/** Whose approvals count without a rule; of the groups those that the caller can see. */
const listedApprovers = {
  approvers: z.array(Approver),
  approver_groups: z.array(ApproverGroup),
}

/** How merge requests into a project are approved. */
export const ProjectApprovals = z.object({
  ...listedApprovers,
  /** Required where the project has no rules. */
  approvals_before_merge: z.int(),
  reset_approvals_on_push: z.boolean(),
  disable_overriding_approvers_per_merge_request: z.boolean(),
  merge_requests_author_approval: z.boolean(),
})
export type ProjectApprovals = z.output<typeof ProjectApprovals>

/** The approvals of a merge request. */
export const MergeRequestApprovals = MergeRequest.pick({
  id: true,
  iid: true,
  project_id: true,
  title: true,
  description: true,
  state: true,
  created_at: true,
  updated_at: true,
  merge_status: true,
}).extend({
  /** The sum over all rules. */
  approvals_required: z.int(),
  approvals_left: z.int(),
  approved_by: z.array(Approver),
  ...listedApprovers,
  /** Listed approvers who have not approved yet. */
  suggested_approvers: z.array(UserRef),
  user_has_approved: z.boolean(),
  user_can_approve: z.boolean(),
})
export type MergeRequestApprovals = z.output<typeof MergeRequestApprovals>

/** How many approvals are required, and whose. */
export const ApprovalRule = z.object({
  id: z.int(),
  name: z.string(),
  rule_type: z.literal('regular'),
  /** The older name of `eligible_approvers`. */
  approvers: z.array(UserRef),
  /**
   * Users who may approve by the rule; members of groups that the caller cannot see are left out. Of
   * more than 10,000 users over all rules, each rule shows as many as the others.
   */
  eligible_approvers: z.array(UserRef),
  approvals_required: z.int(),
  users: z.array(UserRef),
  /** Those that the caller can see. */
  groups: z.array(Group),
  contains_hidden_groups: z.boolean(),
})
export type ApprovalRule = z.output<typeof ApprovalRule>

/** The rule of a project that a merge request replaces. */
export const SourceApprovalRule = ApprovalRule.pick({
  id: true,
  name: true,
  approvals_required: true,
})

/** The rules that apply to a merge request, and how far they are satisfied. */
export const ApprovalState = z.object({
  /** Whether the merge request has rules of its own. */
  approval_rules_overwritten: z.boolean(),
  rules: z.array(
    ApprovalRule.extend({
      /** Null for a rule that replaces none. */
      source_rule: SourceApprovalRule.nullable(),
      approved_by: z.array(UserRef),
      approved: z.boolean(),
    }),
  ),
})
export type ApprovalState = z.output<typeof ApprovalState>
