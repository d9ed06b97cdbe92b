import type { Page } from '@stithy/client'
import type { ProjectDeployKey } from '@stithy/core'
import { actionButton } from '../../platform/design/button.ts'
import { card } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { checkbox, csrfField, textArea, textField } from '../../platform/design/form-fields.ts'
import { FormView } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { actionsColumn, listPages, repositoryAddress, type Section } from './section.ts'

export const deployKeyForm = 'key'

/** SSH keys of machines, with the form that adds one. */
export function deployKeySection(section: Section, keys: Page<ProjectDeployKey>): Html {
  const list =
    keys.items.length === 0
      ? html`<div class="body muted">No deploy keys: SSH keys by which machines read or write this repository alone.</div>`
      : html`${dataTable({
          label: 'Deploy keys',
          columns: [
            { text: 'Title' },
            { text: 'Key' },
            { text: 'Access' },
            { text: 'Added' },
            ...actionsColumn(section),
          ],
          rows: keys.items.map((key) => keyRow(section, key)),
        })}${listPages(section, keys, 'keys_page')}`
  return card({
    title: 'Deploy keys',
    isFlush: true,
    body: html`${list}${section.mayChange && html`<div class="body">${keyForm(section)}</div>`}`,
  })
}

function keyRow(
  section: Section,
  { id, title, key, can_push: canPush, created_at }: ProjectDeployKey,
) {
  const { call } = section
  const [type = '', data = ''] = key.split(' ')
  return [
    title,
    html`<code>${type} …${data.slice(-16)}</code>`,
    canPush ? 'Read and write' : 'Read',
    timeAgo(created_at, call.now),
    ...(section.mayChange ? [keyActions(section, { id, title, can_push: canPush })] : []),
  ]
}

function keyActions(
  section: Section,
  { id, title, can_push: canPush }: Pick<ProjectDeployKey, 'id' | 'title' | 'can_push'>,
): Html {
  const { call } = section
  return html`${actionButton(call, {
    action: repositoryAddress(section, 'deploy_keys', id),
    text: canPush ? 'Only read' : 'Allow to write',
    label: `${canPush ? 'Only read' : 'Allow to write'} with ${title}`,
    kind: 'quiet',
    values: { can_push: canPush ? '0' : '1' },
  })} ${confirmation(call, {
    action: repositoryAddress(section, 'deploy_keys', id, 'delete'),
    text: 'Remove',
    label: `Remove ${title}`,
    question: 'Machines with this key lose their access.',
  })}`
}

function keyForm(section: Section): Html {
  const view = new FormView(deployKeyForm, section.failed)
  return html`<form method="post" action="${repositoryAddress(section, 'deploy_keys')}">
<h3>Add a deploy key</h3>
${csrfField(section.call)}
${textField({ ...view.text('title'), label: 'Title', required: true, maxLength: 255 })}
${textArea({ ...view.text('key'), label: 'Public key', hint: html`As in <code>~/.ssh/id_ed25519.pub</code>. A key that another of your projects or everybody may use can be added as well.`, rows: 3, format: 'code', required: true })}
${checkbox({ ...view.check('can_push'), label: 'May write', hint: 'Also push to protected branches, as far as its creator may.' })}
<div class="buttons"><button class="primary">Add key</button></div>
</form>`
}
