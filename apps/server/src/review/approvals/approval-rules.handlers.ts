import type { ApprovalRule, approvalRulesContract } from '@stithy/core'
import { type ApprovalRuleRow, findApprovalSettings } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller, Handlers } from '../../platform/http/call.ts'
import {
  changeRule,
  createRule,
  findRule,
  listRules,
  type RuleChange,
  type RuleInput,
  removeRule,
  replaceRule,
} from './approval-rule.service.ts'
import { excludedAuthor } from './approval-state.service.ts'
import { viewRules } from './approval-views.service.ts'
import type { RequestedApprovers, RuleScope } from './approver-lists.service.ts'

interface RuleBody {
  user_ids?: number[] | undefined
  group_ids?: number[] | undefined
  users?: number[] | undefined
  groups?: number[] | undefined
  remove_hidden_groups?: boolean | undefined
}

function approversIn(body: RuleBody): RequestedApprovers {
  return {
    userIds: body.user_ids ?? body.users,
    groupIds: body.group_ids ?? body.groups,
    removeHiddenGroups: body.remove_hidden_groups,
  }
}

type NewRuleBody = RuleBody & { approvals_required: number }

function ruleIn(name: string, body: NewRuleBody): RuleInput {
  return { name, approvalsRequired: body.approvals_required, ...approversIn(body) }
}

type ChangedRuleBody = Partial<NewRuleBody & { name: string }>

function changeIn(body: ChangedRuleBody): RuleChange {
  const { name, approvals_required: approvalsRequired } = body
  return { name, approvalsRequired, ...approversIn(body) }
}

async function view(
  app: App,
  caller: Caller,
  { project, item }: RuleScope,
  rules: readonly ApprovalRuleRow[],
): Promise<ApprovalRule[]> {
  if (item === undefined) return viewRules(app, caller, project, rules)
  const settings = await findApprovalSettings(app.db, project.row.id)
  return viewRules(app, caller, project, rules, excludedAuthor(settings, item.row.authorId))
}

async function viewOne(
  app: App,
  caller: Caller,
  scope: RuleScope,
  rule: ApprovalRuleRow,
): Promise<ApprovalRule> {
  const [shown] = await view(app, caller, scope, [rule])
  if (shown === undefined) throw new TypeError('One rule has one view')
  return shown
}

export const approvalRulesHandlers: Handlers<typeof approvalRulesContract> = {
  async listOfProject({ app, caller, subject: project }) {
    return view(app, caller, { project }, await listRules(app, { project }))
  },

  async showOfProject({ app, caller, subject: project, params }) {
    const rule = await findRule(app, { project }, params.approval_rule_id)
    return viewOne(app, caller, { project }, rule)
  },

  async createOfProject({ app, caller, subject: project, body }) {
    const rule = await createRule(app, caller, { project }, ruleIn(body.name, body))
    return viewOne(app, caller, { project }, rule)
  },

  async updateOfProject({ app, caller, subject: project, params, body }) {
    const id = params.approval_rule_id
    const rule = await changeRule(app, caller, { project }, id, changeIn(body))
    return viewOne(app, caller, { project }, rule)
  },

  async removeOfProject({ app, subject: project, params }) {
    await removeRule(app, { project }, params.approval_rule_id)
  },

  async list({ app, caller, subject: item }) {
    const scope = { project: item.project, item }
    return view(app, caller, scope, await listRules(app, scope))
  },

  async show({ app, caller, subject: item, params }) {
    const scope = { project: item.project, item }
    return viewOne(app, caller, scope, await findRule(app, scope, params.approval_rule_id))
  },

  async create({ app, caller, subject: item, body }) {
    const scope = { project: item.project, item }
    const { name = '', approval_project_rule_id: sourceRuleId } = body
    const { approvals_required: approvalsRequired } = body
    const rule =
      sourceRuleId === undefined
        ? await createRule(app, caller, scope, ruleIn(name, body))
        : await replaceRule(app, caller, scope, { sourceRuleId, approvalsRequired })
    return viewOne(app, caller, scope, rule)
  },

  async update({ app, caller, subject: item, params, body }) {
    const scope = { project: item.project, item }
    const id = params.approval_rule_id
    const rule = await changeRule(app, caller, scope, id, changeIn(body))
    return viewOne(app, caller, scope, rule)
  },

  async remove({ app, subject: item, params }) {
    await removeRule(app, { project: item.project, item }, params.approval_rule_id)
  },
}
