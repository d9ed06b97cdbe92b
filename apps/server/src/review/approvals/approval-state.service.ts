import {
  type ApprovalProgress,
  type ApprovalRequirement,
  approvalProgress,
  countsFor,
  raisedApprovals,
} from '@stithy/core'
import {
  type ApprovalRuleRow,
  type ApprovalSettingsRow,
  findApprovalSettings,
  listApprovalRules,
  listApprovals,
} from '@stithy/store'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { tierAllows } from '../../platform/config/config.ts'
import { type Approvers, approverIdsOf, loadApprovers } from './approvers.service.ts'

/** A rule that applies to a merge request. */
export interface AppliedRule extends ApprovalRequirement, ApprovalProgress {
  /** The rule of the merge request or of the project. */
  row: ApprovalRuleRow
  /** The rule of the project that it replaces. */
  source: ApprovalRuleRow | undefined
}

/** The approvals of a merge request, and the rules for them. */
export interface ApprovalState {
  /** Whether the merge request has rules of its own. */
  overwritten: boolean
  /** Empty where any approver counts. */
  rules: readonly AppliedRule[]
  /** What is required: by the rules or, without any, by the number of the project. */
  requirements: readonly (ApprovalRequirement & ApprovalProgress)[]
  /** The list of approvers without a rule, if there is one. */
  fallback: ApprovalRuleRow | undefined
  approvers: Approvers
  /** Ids of the users who have approved, in that order. */
  given: readonly number[]
}

/** The rules that apply to a merge request, before it is known who may approve by them. */
interface RuleSet {
  overwritten: boolean
  rules: { row: ApprovalRuleRow; source: ApprovalRuleRow | undefined }[]
  fallback: ApprovalRuleRow | undefined
}

/**
 * Loads the approvals of a merge request. At most nine queries.
 * @param viewerId a user for whom `mayApprove` will be asked
 */
export async function loadApprovalState(
  app: App,
  { row, project }: MergeRequestItem,
  viewerId?: number,
): Promise<ApprovalState> {
  const settings = await findApprovalSettings(app.db, project.row.id)
  const isOverridable = settings.disableOverridingApprovers === 0
  const ofProject = await listApprovalRules(app.db, { projectId: project.row.id })
  const ofRequest = isOverridable ? await listApprovalRules(app.db, { mergeRequestId: row.id }) : []
  const { rules, ...set } = combine(ofProject, ofRequest)
  const given = await listApprovals(app.db, row.id)
  const rows = rules.map((rule) => rule.row)
  const approvers = await loadApprovers(
    app,
    project,
    set.fallback === undefined ? rows : [...rows, set.fallback],
    {
      userIds: viewerId === undefined ? given : [...given, viewerId],
      excludedId: excludedAuthor(settings, row.authorId),
    },
  )
  const counting = given.filter((id) => approvers.eligible.has(id))
  const applied = rules.map((rule): AppliedRule => {
    const ofSource = rule.source?.approvalsRequired ?? 0
    const requirement = {
      approvalsRequired: raisedApprovals(ofSource, rule.row.approvalsRequired),
      approverIds: approverIdsOf(approvers, rule.row.id),
    }
    return { ...rule, ...requirement, ...approvalProgress(requirement, counting) }
  })
  const number = isOverridable ? row.approvalsBeforeMerge : null
  const open = {
    approvalsRequired: raisedApprovals(project.row.approvalsBeforeMerge, number),
    approverIds: set.fallback ? approverIdsOf(approvers, set.fallback.id) : new Set<number>(),
  }
  // The rules of a project replace its number, those of a merge request come on top of it.
  const isRuled = ofProject.some(isRegular)
  const counted = { ...open, ...approvalProgress(open, counting) }
  const isOpen = !isRuled && (applied.length === 0 || open.approvalsRequired > 0)
  const requirements = isOpen ? [...applied, counted] : applied
  return { ...set, rules: applied, requirements, approvers, given }
}

function isRegular({ kind }: ApprovalRuleRow): boolean {
  return kind === 'regular'
}

/** The rules of a project, some replaced by those of the merge request, and its other ones. */
function combine(
  ofProject: readonly ApprovalRuleRow[],
  ofRequest: readonly ApprovalRuleRow[],
): RuleSet {
  const own = ofRequest.filter(isRegular)
  const replacing = new Map(own.map((row) => [row.sourceRuleId, row]))
  const kept = ofProject.filter(isRegular).map((source) => {
    const row = replacing.get(source.id)
    return row === undefined ? { row: source, source: undefined } : { row, source }
  })
  const added = own.filter(({ sourceRuleId }) => sourceRuleId === null)
  const isFallback = ({ kind }: ApprovalRuleRow) => kind === 'fallback'
  return {
    overwritten: own.length > 0,
    rules: [...kept, ...added.map((row) => ({ row, source: undefined }))],
    fallback: ofRequest.find(isFallback) ?? ofProject.find(isFallback),
  }
}

/** The author, if the project does not let authors approve. */
export function excludedAuthor(
  { mergeRequestsAuthorApproval }: ApprovalSettingsRow,
  authorId: number,
): number | undefined {
  return mergeRequestsAuthorApproval === 1 ? undefined : authorId
}

/** Whether the user, for whom the state was loaded, may approve the merge request now. */
export function mayApprove(
  { row }: MergeRequestItem,
  { requirements, approvers, given }: ApprovalState,
  userId: number,
): boolean {
  if (row.state !== 'opened' || given.includes(userId)) return false
  return approvers.eligible.has(userId) && requirements.some((rule) => countsFor(rule, userId))
}

/** Whether a merge request has the approvals that it needs to be merged. */
export async function approvalsSatisfied(app: App, item: MergeRequestItem): Promise<boolean> {
  if (!tierAllows(app.config.tier, 'premium')) return true
  const { requirements } = await loadApprovalState(app, item)
  return requirements.every(({ approvalsLeft }) => approvalsLeft === 0)
}
