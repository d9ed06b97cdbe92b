import type { Page } from '@stithy/client'
import type { ProtectedTag } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { csrfField, selectField, textField } from '../../platform/design/form-fields.ts'
import { FormView } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import {
  actionsColumn,
  listPages,
  repositoryAddress,
  type Section,
  unprotection,
} from './section.ts'

export const protectedTagForm = 'tag'

/** Tags that not everybody may create, with the form that adds one. */
export function protectedTagSection(section: Section, tags: Page<ProtectedTag>): Html {
  const list =
    tags.items.length === 0
      ? html`<div class="body muted">No tag is protected: developers may create, move and delete all.</div>`
      : html`${dataTable({
          label: 'Protected tags',
          columns: [{ text: 'Tag' }, { text: 'Allowed to create' }, ...actionsColumn(section)],
          rows: tags.items.map((tag) => tagRow(section, tag)),
        })}${listPages(section, tags, 'tags_page')}`
  return card({
    title: 'Protected tags',
    isFlush: true,
    body: html`${list}${section.mayChange && html`<div class="body">${tagForm(section)}</div>`}`,
  })
}

const question = 'Whoever may push can then move and delete it.'

function tagRow(section: Section, { name, create_access_levels: levels }: ProtectedTag) {
  return [
    html`<code>${name}</code>`,
    levels.map(({ access_level_description: text }) => text).join(', '),
    ...(section.mayChange ? [unprotection(section, { kind: 'tags', name, question })] : []),
  ]
}

const levelOptions = [
  { value: '40', text: 'Maintainers' },
  { value: '30', text: 'Developers and maintainers' },
  { value: '0', text: 'Nobody' },
]

function tagForm(section: Section): Html {
  const view = new FormView(protectedTagForm, section.failed)
  return html`<form method="post" action="${repositoryAddress(section, 'protected_tags')}">
<h3>Protect a tag</h3>
${csrfField(section.call)}
<div class="pair">${textField({ ...view.text('name'), label: 'Tag', hint: html`A name, or a pattern such as <code>v*</code>.`, required: true, maxLength: 255 })}
${selectField({ ...view.text('create_access_level', 40), label: 'Allowed to create', hint: 'Nobody may move or delete it.', options: levelOptions })}</div>
<button class="primary">Protect tag</button>
</form>`
}
