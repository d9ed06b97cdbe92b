import { type approvalsContract, type BodyOf, notFound, validationFailed } from '@stithy/core'
import {
  findApprovalSettings,
  insertApprovalRule,
  listApprovalRules,
  listRuleApprovers,
  lockMergeRequest,
  saveApprovalSettings,
  type Transaction,
  toFlag,
  updateApprovalRule,
  updateMergeRequestRow,
  updateProject,
} from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { reload } from '../merge-requests/update/merge-request-type.ts'
import {
  actorOf,
  ownerOf,
  planApprovers,
  type RequestedApprovers,
  type RuleScope,
  requireOverriding,
  saveApprovers,
} from './approver-lists.service.ts'
import { listedOf } from './approvers.service.ts'

/** Changes how merge requests into a project are approved (`POST /projects/:id/approvals`). */
export async function changeProjectApprovals(
  app: App,
  { row: { id } }: ProjectSubject,
  body: BodyOf<typeof approvalsContract.updateOfProject>,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const approvalsBeforeMerge = body.approvals_before_merge
    // First, which serializes concurrent changes of the settings.
    await updateProject(tx, id, { approvalsBeforeMerge, updatedAt: app.now() })
    const before = await findApprovalSettings(tx, id)
    const flag = (value: boolean | undefined, old: 0 | 1) =>
      value === undefined ? old : toFlag(value)
    await saveApprovalSettings(tx, id, {
      resetApprovalsOnPush: flag(body.reset_approvals_on_push, before.resetApprovalsOnPush),
      disableOverridingApprovers: flag(
        body.disable_overriding_approvers_per_merge_request,
        before.disableOverridingApprovers,
      ),
      mergeRequestsAuthorApproval: flag(
        body.merge_requests_author_approval,
        before.mergeRequestsAuthorApproval,
      ),
    })
  })
}

/**
 * Sets how many approvals a merge request requires.
 * @throws DomainError `validation_failed` for fewer than its project requires; `forbidden` if that
 * does not allow it.
 */
export async function setApprovalsRequired(
  app: App,
  item: MergeRequestItem,
  approvalsRequired: number,
): Promise<MergeRequestItem> {
  const { project, row } = item
  await requireOverriding(app, project)
  requireRaised(approvalsRequired, project.row.approvalsBeforeMerge)
  await app.db.transaction(async (tx) => {
    if ((await lockMergeRequest(tx, row.id)) === undefined) throw notFound('Merge Request')
    await updateMergeRequestRow(tx, row.id, { approvalsBeforeMerge: approvalsRequired })
  })
  return reload(app, item)
}

/** @throws DomainError `validation_failed` for a number below that of the project. */
export function requireRaised(approvalsRequired: number, ofProject: number): void {
  if (approvalsRequired >= ofProject) return
  throw validationFailed({
    approvals_required: [`must be greater than or equal to ${ofProject}, as the project requires`],
  })
}

/**
 * Sets the approvers that are listed without a rule.
 * @throws DomainError `forbidden` for a merge request whose project does not allow it.
 */
export async function setApprovers(
  app: App,
  caller: Caller,
  scope: RuleScope,
  requested: RequestedApprovers,
): Promise<void> {
  if (scope.item !== undefined) await requireOverriding(app, scope.project)
  const known = await findFallback(app, scope)
  const listed = known === undefined ? new Map() : await listRuleApprovers(app.db, [known])
  const before = listedOf(listed, known ?? 0)
  const change = await planApprovers(app, caller, scope.project, before, requested)
  const actor = actorOf(app, caller)
  await app.db.transaction(async (tx) => {
    const ruleId = known ?? (await insertFallback(tx, scope, actor.now))
    // Locks the list, of which a concurrent call would insert the same rows.
    const locked = await updateApprovalRule(tx, { id: ruleId })
    if (locked === undefined) throw notFound(scope.item === undefined ? 'Project' : 'Merge Request')
    await saveApprovers(tx, scope, { ruleId, ...actor }, change)
  })
}

async function findFallback(app: App, scope: RuleScope): Promise<number | undefined> {
  const rules = await listApprovalRules(app.db, ownerOf(scope))
  return rules.find(({ kind }) => kind === 'fallback')?.id
}

async function insertFallback(
  tx: Transaction,
  scope: RuleScope,
  createdAt: number,
): Promise<number> {
  const rule = { sourceRuleId: null, kind: 'fallback', name: '', approvalsRequired: 0 } as const
  const made = await insertApprovalRule(tx, ownerOf(scope), { ...rule, createdAt })
  if (made !== undefined) return made.id
  const rules = await listApprovalRules(tx, ownerOf(scope))
  return rules.find(({ kind }) => kind === 'fallback')?.id ?? 0
}
