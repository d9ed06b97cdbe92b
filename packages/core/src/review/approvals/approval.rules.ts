/** A `fallback` holds the approvers that are listed without a rule. */
export const approvalRuleKinds = ['regular', 'fallback'] as const
export type ApprovalRuleKind = (typeof approvalRuleKinds)[number]

/** The most approvals that may be required. */
export const maxApprovalsRequired = 100

/** The most rules of a project or a merge request. */
export const maxApprovalRules = 100

/** A rule with the users who are listed for it, directly or through a group, and may approve. */
export interface ApprovalRequirement {
  approvalsRequired: number
  approverIds: ReadonlySet<number>
}

/** How far a rule is satisfied. */
export interface ApprovalProgress {
  /** Ids of the users whose approvals count for the rule, in the order of approval. */
  approvedBy: number[]
  approvalsLeft: number
}

/**
 * Whether everyone counts who may approve merge requests of the project, listed or not: a rule with
 * fewer approvers than it requires could not be satisfied otherwise.
 */
export function isOpenToAll({ approvalsRequired, approverIds }: ApprovalRequirement): boolean {
  return approverIds.size === 0 || approverIds.size < approvalsRequired
}

/** Whether an approval by the user counts for the rule, if they may approve at all. */
export function countsFor(rule: ApprovalRequirement, userId: number): boolean {
  return isOpenToAll(rule) || rule.approverIds.has(userId)
}

/** Evaluates a rule. An approval counts for each rule that it fits. @param given user ids */
export function approvalProgress(
  rule: ApprovalRequirement,
  given: readonly number[],
): ApprovalProgress {
  const approvedBy = given.filter((userId) => countsFor(rule, userId))
  return { approvedBy, approvalsLeft: Math.max(0, rule.approvalsRequired - approvedBy.length) }
}

/** The number that is required: a merge request may only raise that of its project. */
export function raisedApprovals(ofProject: number, ofRequest: number | null): number {
  return Math.max(ofProject, ofRequest ?? 0)
}
