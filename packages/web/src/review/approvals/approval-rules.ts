import type { ApprovalRule } from '@stithy/core'
import { settingsAddress } from '../../directory/projects/settings/settings-page.ts'
import { person } from '../../platform/design/avatar.ts'
import { card } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { csrfField, textField } from '../../platform/design/form-fields.ts'
import { type FailedForm, FormView } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { plural } from '../../platform/text/numbers.ts'

interface RuleList {
  call: PageCall
  /** Full path. */
  project: string
  rules: readonly ApprovalRule[]
  /** Whether the project isn't archived. */
  mayChange: boolean
  failed: FailedForm | undefined
}

/** The form of a rule, by its id; that of a new one. */
export function ruleForm(id?: number): string {
  return id === undefined ? 'rule' : `rule-${id}`
}

/** Whose approvals are needed: the rules with their forms, and that of a new one. */
export function ruleList(list: RuleList): Html {
  const { call, project, rules, mayChange, failed } = list
  const none = html`<div class="body muted">No rules: anybody who may merge counts as an approver.</div>`
  const fields = { action: ruleAddress(project), button: 'Add rule', failed }
  return card({
    title: 'Approval rules',
    isFlush: true,
    body: html`${rules.length === 0 ? none : html`<ul class="rows">${rules.map((rule) => ruleRow(list, rule))}</ul>`}
${mayChange && html`<div class="body"><h3>Add a rule</h3>${ruleFields(call, fields)}</div>`}`,
  })
}

function ruleAddress(project: string, ...segments: readonly (string | number)[]): string {
  return settingsAddress(project, 'merge_requests', 'rules', ...segments)
}

function ruleRow({ call, project, mayChange, failed }: RuleList, rule: ApprovalRule): Html {
  const { id, name } = rule
  const isOpen = failed?.name === ruleForm(id)
  const fields = { action: ruleAddress(project, id), button: `Save ${name}`, rule, failed }
  const edit =
    mayChange &&
    html`
<details${isOpen && html` open`}><summary aria-label="Edit ${name}">Edit</summary>${ruleFields(call, fields)}</details>`
  const end =
    mayChange &&
    html`
<div class="end">${confirmation(call, { action: ruleAddress(project, id, 'delete'), text: 'Delete', label: `Delete ${name}`, question: 'Its approvals are no longer needed.' })}</div>`
  return html`<li><div class="main"><strong>${name}</strong> <span class="muted">${plural(rule.approvals_required, 'approval')} of</span> ${approvers(rule)}${edit}</div>${end}</li>`
}

function approvers({ users, groups, contains_hidden_groups: hasHidden }: ApprovalRule): Html {
  const names = [
    ...users.map(person),
    ...groups.map(({ full_path }) => html`<a href="/${full_path}">${full_path}</a>`),
    ...(hasHidden ? [html`groups that you can't see`] : []),
  ]
  return names.length === 0 ? html`anybody who may` : html`${names.map((name) => html`${name} `)}`
}

interface RuleFields {
  action: string
  button: string
  rule?: ApprovalRule
  failed: FailedForm | undefined
}

function ruleFields(call: PageCall, { action, button, rule, failed }: RuleFields): Html {
  const view = new FormView(ruleForm(rule?.id), failed)
  const users = rule?.users.map(({ username }) => username).join(', ')
  const groups = rule?.groups.map(({ full_path }) => full_path).join(', ')
  return html`<form method="post" action="${action}">
${csrfField(call)}
<div class="pair">${textField({ ...view.text('name', rule?.name), label: 'Name', required: true, maxLength: 255 })}
${textField({ ...view.text('approvals_required', rule?.approvals_required ?? 1), label: 'Approvals that are required', type: 'number', required: true })}
${textField({ ...view.text('users', users), label: 'Users', complete: 'users', hint: 'Usernames, separated by commas.' })}
${textField({ ...view.text('groups', groups), label: 'Groups', hint: 'Paths, separated by commas.' })}</div>
<button>${button}</button>
</form>`
}
