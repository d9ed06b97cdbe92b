import type { Page } from '@stithy/client'
import { type ImpersonationToken, tokenScopes } from '@stithy/core'
import { badge } from '../../platform/design/badge.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { checkbox, csrfField, textField } from '../../platform/design/form-fields.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type FailedForm, FormView } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { adminAddress } from './admin-page.ts'

export const tokenFormName = 'token'

/** The tokens by which administrators act as a user. */
export function tokenTable(call: PageCall, userId: number, tokens: Page<ImpersonationToken>): Html {
  if (tokens.items.length === 0) {
    return html`<div class="body muted">No tokens: with one, a program acts as this user.</div>`
  }
  return html`${dataTable({
    label: 'Impersonation tokens',
    columns: [
      { text: 'Name' },
      { text: 'Scopes' },
      { text: 'Created' },
      { text: 'Expires' },
      { text: 'Actions', kind: 'actions' },
    ],
    rows: tokens.items.map((token) => tokenRow(call, userId, token)),
  })}${pagination(tokens, adminAddress('users', userId), call.query)}`
}

function tokenRow(call: PageCall, userId: number, token: ImpersonationToken) {
  const { id, name, scopes, created_at, expires_at, active } = token
  return [
    name,
    scopes.join(', '),
    timeAgo(created_at, call.now),
    expires_at ?? 'Never',
    active
      ? confirmation(call, {
          action: adminAddress('users', userId, 'impersonation_tokens', id, 'revoke'),
          text: 'Revoke',
          label: `Revoke ${name}`,
          question: 'Programs with it lose their access.',
        })
      : badge(token.revoked ? 'revoked' : 'expired'),
  ]
}

/** The form that creates a token. */
export function tokenForm(call: PageCall, userId: number, failed: FailedForm | undefined): Html {
  const view = new FormView(tokenFormName, failed)
  const scopes = tokenScopes.map((scope) =>
    checkbox({ ...view.choice('scopes', scope, scope === 'api'), label: scope }),
  )
  return html`<form method="post" action="${adminAddress('users', userId, 'impersonation_tokens')}">
<h3>Create an impersonation token</h3>
${csrfField(call)}
<div class="pair">${textField({ ...view.text('name'), label: 'Name', required: true, maxLength: 255 })}
${textField({ ...view.text('expires_at'), label: 'Expires', type: 'date', hint: 'Never, if this is empty.' })}</div>
<fieldset><legend>Scopes</legend><div class="choices">${scopes}</div></fieldset>
<button class="primary">Create token</button>
</form>`
}
