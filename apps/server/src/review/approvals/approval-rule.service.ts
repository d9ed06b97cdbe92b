import {
  badRequest,
  type DomainError,
  isLongerThan,
  maxApprovalRules,
  maxNameLength,
  notFound,
  tooLong,
  validationFailed,
} from '@stithy/core'
import {
  type ApprovalRuleRow,
  deleteApprovalRule,
  insertApprovalRule,
  isUniqueViolation,
  type ListedApprovers,
  listApprovalRules,
  listRuleApprovers,
  lockProject,
  type Queries,
  stampOf,
  type Transaction,
  touchStamp,
  updateApprovalRule,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireRaised } from './approval-settings.service.ts'
import {
  type ApproversChange,
  actorOf,
  ownerOf,
  planApprovers,
  type RequestedApprovers,
  type RuleScope,
  requireOverriding,
  saveApprovers,
} from './approver-lists.service.ts'
import { listedOf } from './approvers.service.ts'

/** What a caller wants of a rule. */
export interface RuleChange extends RequestedApprovers {
  name?: string | undefined
  approvalsRequired?: number | undefined
}

/** A rule as a caller wants it. */
export type RuleInput = RuleChange & { name: string; approvalsRequired: number }

const nobody: ListedApprovers = { userIds: [], groupIds: [] }

/** Lists the rules of a project or merge request, oldest first. */
export function listRules(app: App, scope: RuleScope): Promise<ApprovalRuleRow[]> {
  return listRegular(app.db, scope)
}

async function listRegular(q: Queries, scope: RuleScope): Promise<ApprovalRuleRow[]> {
  const rules = await listApprovalRules(q, ownerOf(scope))
  return rules.filter(({ kind }) => kind === 'regular')
}

/**
 * Creates a rule.
 * @throws DomainError `forbidden` for a merge request whose project does not allow it;
 * `validation_failed` for a bad or taken name; `bad_request` if there are too many rules.
 */
export async function createRule(
  app: App,
  caller: Caller,
  scope: RuleScope,
  input: RuleInput,
): Promise<ApprovalRuleRow> {
  if (scope.item !== undefined) await requireOverriding(app, scope.project)
  const name = normalizeName(input.name)
  const change = await planApprovers(app, caller, scope.project, nobody, input)
  const rule = { name, approvalsRequired: input.approvalsRequired, sourceRuleId: null }
  return insertRule(app, caller, scope, rule, change)
}

/**
 * Creates a rule of a merge request that replaces one of its project, whose name, users and groups
 * it copies.
 * @throws DomainError `not_found` for an unknown rule, `validation_failed` if it requires fewer
 * approvals or the rule is replaced already, and as `createRule`.
 */
export async function replaceRule(
  app: App,
  caller: Caller,
  scope: RuleScope,
  { sourceRuleId, approvalsRequired }: { sourceRuleId: number; approvalsRequired: number },
): Promise<ApprovalRuleRow> {
  await requireOverriding(app, scope.project)
  const source = await findRule(app, { project: scope.project }, sourceRuleId)
  requireRaised(approvalsRequired, source.approvalsRequired)
  const after = listedOf(await listRuleApprovers(app.db, [source.id]), source.id)
  const rule = { name: source.name, approvalsRequired, sourceRuleId }
  return insertRule(app, caller, scope, rule, { before: nobody, after })
}

async function insertRule(
  app: App,
  caller: Caller,
  scope: RuleScope,
  rule: Pick<ApprovalRuleRow, 'name' | 'approvalsRequired' | 'sourceRuleId'>,
  change: ApproversChange,
): Promise<ApprovalRuleRow> {
  const actor = actorOf(app, caller)
  return app.db.transaction(async (tx) => {
    await lockProject(tx, scope.project.row.id)
    if ((await listRegular(tx, scope)).length >= maxApprovalRules) {
      throw badRequest(`There may be at most ${maxApprovalRules} approval rules`)
    }
    const row = await insertApprovalRule(tx, ownerOf(scope), {
      ...rule,
      kind: 'regular',
      createdAt: actor.now,
    })
    if (row === undefined) throw taken()
    await saveApprovers(tx, scope, { ruleId: row.id, ...actor }, change)
    return row
  })
}

/**
 * Changes what is given of a rule.
 * @throws DomainError `not_found`, and as `createRule`
 */
export async function changeRule(
  app: App,
  caller: Caller,
  scope: RuleScope,
  id: number,
  { name: text, approvalsRequired, ...requested }: RuleChange,
): Promise<ApprovalRuleRow> {
  if (scope.item !== undefined) await requireOverriding(app, scope.project)
  const rule = await findRule(app, scope, id)
  if (approvalsRequired !== undefined) {
    await requireNotBelowSource(app, scope, rule, approvalsRequired)
  }
  const name = text === undefined ? undefined : normalizeName(text)
  const before = listedOf(await listRuleApprovers(app.db, [id]), id)
  const change = await planApprovers(app, caller, scope.project, before, requested)
  const actor = actorOf(app, caller)
  try {
    return await app.db.transaction(async (tx) => {
      const row = await updateApprovalRule(tx, { id, name, approvalsRequired })
      if (row === undefined) throw unknown()
      await saveApprovers(tx, scope, { ruleId: id, ...actor }, change)
      return row
    })
  } catch (error) {
    throw isUniqueViolation(error, 'name') ? taken() : error
  }
}

async function requireNotBelowSource(
  app: App,
  { project }: RuleScope,
  { sourceRuleId }: ApprovalRuleRow,
  approvalsRequired: number,
): Promise<void> {
  if (sourceRuleId === null) return
  const source = (await listRules(app, { project })).find(({ id }) => id === sourceRuleId)
  if (source !== undefined) requireRaised(approvalsRequired, source.approvalsRequired)
}

/** Deletes a rule. @throws DomainError `not_found`; `forbidden` as `createRule` */
export async function removeRule(app: App, scope: RuleScope, id: number): Promise<void> {
  if (scope.item !== undefined) await requireOverriding(app, scope.project)
  await findRule(app, scope, id)
  await app.db.transaction((tx) => remove(tx, scope, id))
}

async function remove(tx: Transaction, { project }: RuleScope, id: number): Promise<void> {
  if (!(await deleteApprovalRule(tx, id))) throw unknown()
  touchStamp(tx, stampOf('mergeRequests', project.row.id))
}

/** A rule of a project or merge request. @throws DomainError `not_found` */
export async function findRule(app: App, scope: RuleScope, id: number): Promise<ApprovalRuleRow> {
  const rule = (await listRules(app, scope)).find((each) => each.id === id)
  if (rule === undefined) throw unknown()
  return rule
}

function unknown(): DomainError {
  return notFound('Approval Rule')
}

function taken(): DomainError {
  return validationFailed({ name: ['has already been taken'] })
}

function normalizeName(text: string): string {
  const name = text.trim()
  if (name === '') throw validationFailed({ name: ["can't be blank"] })
  if (isLongerThan(name, maxNameLength)) throw validationFailed({ name: [tooLong(maxNameLength)] })
  return name
}
