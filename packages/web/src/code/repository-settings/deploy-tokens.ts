import type { Page } from '@stithy/client'
import { type DeployToken, deployTokenScopes, type NewDeployToken } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { checkbox, csrfField, textField } from '../../platform/design/form-fields.ts'
import { shownOnce } from '../../platform/design/shown-once.ts'
import { FormView } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { actionsColumn, listPages, repositoryAddress, type Section } from './section.ts'

export const deployTokenForm = 'token'

/** Tokens that read this repository, with the form that creates one, and the one just created. */
export function deployTokenSection(
  section: Section,
  tokens: Page<DeployToken>,
  created: NewDeployToken | undefined,
): Html {
  const list =
    tokens.items.length === 0
      ? html`<div class="body muted">No deploy tokens: passwords by which machines read this repository alone over HTTPS.</div>`
      : html`${dataTable({
          label: 'Deploy tokens',
          columns: [
            { text: 'Name' },
            { text: 'Username' },
            { text: 'Scopes' },
            { text: 'Expires' },
            ...actionsColumn(section),
          ],
          rows: tokens.items.map((token) => tokenRow(section, token)),
        })}${listPages(section, tokens, 'tokens_page')}`
  return card({
    title: 'Deploy tokens',
    id: 'deploy-tokens',
    isFlush: true,
    body: html`${created && html`<div class="body">${newToken(created)}</div>`}${list}${section.mayChange && html`<div class="body">${tokenForm(section)}</div>`}`,
  })
}

function newToken({ name, username, token }: NewDeployToken): Html {
  return shownOnce({
    title: `The deploy token ${name}`,
    secret: token,
    note: html`Its username is <code>${username}</code>.`,
  })
}

function tokenRow(section: Section, { id, name, username, scopes, expires_at }: DeployToken) {
  return [
    name,
    html`<code>${username}</code>`,
    scopes.join(', '),
    expires_at === null ? 'Never' : timeAgo(expires_at, section.call.now),
    ...(section.mayChange ? [revocation(section, id, name)] : []),
  ]
}

function revocation(section: Section, id: number, name: string): Html {
  return confirmation(section.call, {
    action: repositoryAddress(section, 'deploy_tokens', id, 'delete'),
    text: 'Revoke',
    label: `Revoke ${name}`,
    question: 'Machines with this token lose their access.',
  })
}

const scopeHints = {
  read_repository: 'Clone and fetch the repository.',
  read_registry: 'Pull images from the container registry.',
} as const

function tokenForm(section: Section): Html {
  const view = new FormView(deployTokenForm, section.failed)
  const scopes = deployTokenScopes.map((scope) =>
    checkbox({
      ...view.choice('scopes', scope, scope === 'read_repository'),
      label: scope,
      hint: scopeHints[scope],
    }),
  )
  return html`<form method="post" action="${repositoryAddress(section, 'deploy_tokens')}#deploy-tokens">
<h3>Create a deploy token</h3>
${csrfField(section.call)}
<div class="pair">${textField({ ...view.text('name'), label: 'Name', required: true, maxLength: 255 })}
${textField({ ...view.text('username'), label: 'Username', hint: 'One is made up if this is empty.', autocomplete: 'off' })}
${textField({ ...view.text('expires_at'), label: 'Expires', type: 'date', hint: 'Never, if this is empty.' })}</div>
<fieldset><legend>Scopes</legend>${scopes}</fieldset>
<button class="primary">Create token</button>
</form>`
}
