import { mergeMethods } from '@stithy/core'
import { findNamedMembers } from '../../directory/members/named-members.ts'
import { settingsAddress } from '../../directory/projects/settings/settings-page.ts'
import { fieldIds, numberErrors } from '../../platform/forms/form-view.ts'
import { type Submission, submit } from '../../platform/forms/submit.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { ruleForm } from './approval-rules.ts'
import {
  approvalForm,
  approvalSettingNames,
  checkNames,
  mergeForm,
  mergeRequestSettings,
} from './merge-request-settings-page.ts'

async function answer(
  call: PageCall,
  name: string,
  submission: Submission<unknown>,
): Promise<Reply> {
  if (submission.ok) return redirect(settingsAddress(projectPath(call), 'merge_requests'))
  return mergeRequestSettings(call, { name, form: call.form, formErrors: submission.formErrors })
}

function ticked<N extends string>({ form }: PageCall, names: readonly N[]): Record<N, boolean> {
  const entries = names.map((name) => [name, form.isChecked(name)])
  return Object.fromEntries(entries) as Record<N, boolean>
}

const numbers = {
  settings: { approvals_before_merge: 'Approvals that are required' },
  rule: { approvals_required: 'Approvals that are required' },
}

/** `POST /<project>/-/settings/merge_requests`. */
export async function saveMerging(call: PageCall): Promise<Reply> {
  const method = call.form.word('merge_method', mergeMethods)
  const saved = await submit(
    call.client.projects.update({
      projectId: projectPath(call),
      ...ticked(call, checkNames),
      ...(method !== undefined && { merge_method: method }),
    }),
  )
  return answer(call, mergeForm, saved)
}

/** `POST /<project>/-/settings/merge_requests/approvals`. */
export async function saveApprovals(call: PageCall): Promise<Reply> {
  const formErrors = numberErrors(approvalForm, call.form, numbers.settings)
  if (formErrors.length > 0) return answer(call, approvalForm, { ok: false, formErrors })
  const saved = await submit(
    call.client.projects.approvals.update({
      projectId: projectPath(call),
      ...ticked(call, approvalSettingNames),
      approvals_before_merge: call.form.number('approvals_before_merge') ?? 0,
    }),
    fieldIds(approvalForm, ['approvals_before_merge']),
  )
  return answer(call, approvalForm, saved)
}

/** The values of a rule, or the names that nobody has. */
async function ruleValues(call: PageCall, name: string) {
  const { form } = call
  const part = (who: string) => ({ field: `${name}-${who}`, text: form.text(who) })
  const named = await findNamedMembers(call, { users: part('users'), groups: part('groups') })
  return {
    formErrors: [...numberErrors(name, form, numbers.rule), ...named.formErrors],
    values: {
      name: form.text('name'),
      approvals_required: form.number('approvals_required') ?? 0,
      user_ids: named.userIds,
      group_ids: named.groupIds,
    },
  }
}

/** `POST /<project>/-/settings/merge_requests/rules`. */
export async function addRule(call: PageCall): Promise<Reply> {
  const name = ruleForm()
  const { values, formErrors } = await ruleValues(call, name)
  if (formErrors.length > 0) return answer(call, name, { ok: false, formErrors })
  const rules = call.client.projects.approvalRules
  const added = await submit(
    rules.create({ projectId: projectPath(call), ...values }),
    fieldIds(name, ['name', 'approvals_required']),
  )
  return answer(call, name, added)
}

/** `POST /<project>/-/settings/merge_requests/rules/:id`. */
export async function saveRule(call: PageCall): Promise<Reply> {
  const approvalRuleId = rowId(call)
  const name = ruleForm(approvalRuleId)
  const { values, formErrors } = await ruleValues(call, name)
  if (formErrors.length > 0) return answer(call, name, { ok: false, formErrors })
  const rules = call.client.projects.approvalRules
  const saved = await submit(
    rules.update({ projectId: projectPath(call), approvalRuleId, ...values }),
    fieldIds(name, ['name', 'approvals_required']),
  )
  return answer(call, name, saved)
}

/** `POST /<project>/-/settings/merge_requests/rules/:id/delete`. */
export async function deleteRule(call: PageCall): Promise<Reply> {
  const ids = { projectId: projectPath(call), approvalRuleId: rowId(call) }
  return answer(call, '', await submit(call.client.projects.approvalRules.delete(ids)))
}
