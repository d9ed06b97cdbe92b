import type { MergeRequestDetail } from '@stithy/core'
import { avatar, person } from '../../../platform/design/avatar.ts'
import { actionButton } from '../../../platform/design/button.ts'
import { card } from '../../../platform/design/card.ts'
import { icon } from '../../../platform/design/icon.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { plural } from '../../../platform/text/numbers.ts'
import { requestAddress } from '../merge-request-address.ts'
import type { MergeState, RequestView } from '../request-view.ts'

/** Who has approved, who still has to, and the viewer's own approval. */
export function approvalsCard(
  call: Pick<PageCall, 'csrfToken'>,
  { request, project }: RequestView,
  { approvals, rules }: MergeState,
): Html | undefined {
  if (approvals === undefined) return undefined
  const { approvals_left: left, approvals_required: required, approved_by: given } = approvals
  const address = requestAddress({ project: project.path_with_namespace, iid: request.iid })
  return card({
    title: 'Approvals',
    id: 'approvals',
    end: project.archived === true ? undefined : button(call, request, approvals, address),
    body: html`<p>${summary(left, required, given.length)}</p>
${given.length > 0 && html`<p class="row">${given.map(({ user }) => person(user))}</p>`}
${rules.length > 0 && html`<ul class="plain rules">${rules.map(ruleItem)}</ul>`}
${rules.length === 0 && suggested(approvals)}`,
  })
}

type Approvals = NonNullable<MergeState['approvals']>

function button(
  call: Pick<PageCall, 'csrfToken'>,
  { sha, state }: MergeRequestDetail,
  { user_can_approve: mayApprove, user_has_approved: hasApproved }: Approvals,
  address: string,
): Html | undefined {
  if (mayApprove) {
    return actionButton(call, {
      action: `${address}/approve`,
      text: 'Approve',
      kind: 'primary',
      values: { sha },
    })
  }
  return hasApproved && state !== 'merged'
    ? actionButton(call, { action: `${address}/unapprove`, text: 'Take back your approval' })
    : undefined
}

function summary(left: number, required: number, given: number): string {
  if (left > 0) return `It needs ${plural(left, 'more approval')}.`
  if (required > 0) return 'It has the approvals that it needs.'
  return given > 0 ? 'Approved; none is required.' : 'No approval is required.'
}

function ruleItem(rule: MergeState['rules'][number]): Html {
  const { name, approvals_required: required, approved_by: given, approved } = rule
  const mark = approved
    ? html`<span class="state good">${icon('check', 'Satisfied')}</span>`
    : html`<span class="state">${icon('clock', 'Open')}</span>`
  const missing = rule.eligible_approvers.filter(({ id }) => !given.some((user) => user.id === id))
  return html`<li class="row">${mark} <span class="strong">${name}</span> <span class="muted">${given.length} of ${required}</span> ${given.map((user) => avatar(user, 'small'))}
${!approved && missing.length > 0 && html`<span class="muted small">by ${missing.slice(0, 5).map((user) => html`${person(user)} `)}${missing.length > 5 && ` and ${missing.length - 5} more`}</span>`}</li>`
}

function suggested({ suggested_approvers: users }: Approvals): Html | undefined {
  if (users.length === 0) return undefined
  return html`<p class="row muted">Asked: ${users.slice(0, 10).map(person)}</p>`
}
