import type { ApprovalRuleKind } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** How merge requests into a project are approved; a project without a row has the defaults. */
export interface ProjectApprovalSettingsTable {
  projectId: number
  /** Whether a push to the source branch removes all approvals. */
  resetApprovalsOnPush: Flag
  /** Whether merge requests have the rules of the project alone. */
  disableOverridingApprovers: Flag
  /** Whether authors may approve their own merge requests. */
  mergeRequestsAuthorApproval: Flag
}

/**
 * How many approvals are required, and whose. Belongs to either a project or a merge request.
 */
export interface ApprovalRulesTable {
  id: Generated<number>
  projectId: number | null
  mergeRequestId: number | null
  /** Of a merge request's rule: the project's rule that it replaces. */
  sourceRuleId: number | null
  kind: ApprovalRuleKind
  /** Empty for a fallback. */
  name: string
  /** 0 for a fallback, whose number is a column of the project and of the merge request. */
  approvalsRequired: number
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** Users who may approve by a rule. */
export interface ApprovalRuleUsersTable {
  ruleId: number
  userId: number
}

/** Groups whose direct members may approve by a rule. */
export interface ApprovalRuleGroupsTable {
  ruleId: number
  groupId: number
}

/** The approvals given. */
export interface ApprovalsTable {
  mergeRequestId: number
  userId: number
  /** Milliseconds since the epoch. */
  createdAt: number
}
