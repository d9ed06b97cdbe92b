import { card } from '../../platform/design/card.ts'
import { csrfField, textField } from '../../platform/design/form-fields.ts'
import { FormView } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { repositoryAddress, type Section } from './section.ts'

export const defaultBranchForm = 'default'

/** The branch that visitors see first. */
export function defaultBranchSection(section: Section, branches: readonly string[]): Html {
  const { call, project, failed } = section
  const view = new FormView(defaultBranchForm, failed)
  const body =
    branches.length === 0
      ? html`<p class="muted">The repository has no branch yet. The first one that is pushed becomes the default branch.</p>`
      : html`<form method="post" action="${repositoryAddress(section, 'default_branch')}">
${csrfField(call)}
${textField({ ...view.text('default_branch', project.default_branch), label: 'Branch', hint: 'What the project shows first, and what merge requests are made against.', suggestions: branches, required: true })}
<button class="primary">Save default branch</button>
</form>`
  return card({ title: 'Default branch', body })
}
