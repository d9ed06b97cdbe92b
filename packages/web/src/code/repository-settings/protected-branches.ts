import type { Page } from '@stithy/client'
import type { BranchAccessLevel, ProtectedBranch } from '@stithy/core'
import { badge } from '../../platform/design/badge.ts'
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

export const protectedBranchForm = 'branch'

/** Branches that not everybody may push to, with the form that adds one. */
export function protectedBranchSection(
  section: Section,
  branches: Page<ProtectedBranch>,
  names: readonly string[],
): Html {
  const list =
    branches.items.length === 0
      ? html`<div class="body muted">No branch is protected: developers may push to all, delete them and rewrite their history.</div>`
      : html`${dataTable({
          label: 'Protected branches',
          columns: [
            { text: 'Branch' },
            { text: 'Allowed to merge' },
            { text: 'Allowed to push' },
            ...actionsColumn(section),
          ],
          rows: branches.items.map((branch) => branchRow(section, branch)),
        })}${listPages(section, branches, 'branches_page')}`
  return card({
    title: 'Protected branches',
    isFlush: true,
    body: html`${list}${section.mayChange && html`<div class="body">${branchForm(section, names)}</div>`}`,
  })
}

const question = 'Whoever may push can then rewrite it.'

function branchRow(section: Section, branch: ProtectedBranch) {
  const { name, merge_access_levels: merge, push_access_levels: push } = branch
  return [
    html`<code>${name}</code>${name === section.project.default_branch && html` ${badge('default')}`}`,
    levels(merge),
    levels(push),
    ...(section.mayChange ? [unprotection(section, { kind: 'branches', name, question })] : []),
  ]
}

function levels(list: readonly BranchAccessLevel[]): string {
  return list.map(({ access_level_description: text }) => text).join(', ') || 'Nobody'
}

const levelOptions = [
  { value: '40', text: 'Maintainers' },
  { value: '30', text: 'Developers and maintainers' },
  { value: '60', text: 'Administrators' },
  { value: '0', text: 'Nobody' },
]

function branchForm(section: Section, names: readonly string[]): Html {
  const { call, project, failed } = section
  const view = new FormView(protectedBranchForm, failed)
  // Single users and groups need a tier that has approvals.
  const hasGrants = project.approvals_before_merge !== undefined
  const level = (name: string, label: string) =>
    selectField({ ...view.text(name, 40), label, options: levelOptions })
  return html`<form method="post" action="${repositoryAddress(section, 'protected_branches')}">
<h3>Protect a branch</h3>
${csrfField(call)}
${textField({ ...view.text('name'), label: 'Branch', hint: html`A name, or a pattern such as <code>release/*</code>.`, required: true, maxLength: 255, suggestions: names })}
<div class="pair">${level('merge_access_level', 'Allowed to merge')}
${level('push_access_level', 'Allowed to push')}
${level('unprotect_access_level', 'Allowed to unprotect')}</div>
${hasGrants && grantFields(view)}
<button class="primary">Protect branch</button>
</form>`
}

function grantFields(view: FormView): Html {
  const users = 'Usernames, separated by commas.'
  const groups = 'Paths, separated by commas. The project must be shared with them.'
  return html`<details${grantNames.some((name) => view.text(name).value !== '') && html` open`}><summary>Single users and groups</summary>
<div class="pair">${textField({ ...view.text('merge_users'), label: 'Users allowed to merge', hint: users, complete: 'users' })}
${textField({ ...view.text('merge_groups'), label: 'Groups allowed to merge', hint: groups })}
${textField({ ...view.text('push_users'), label: 'Users allowed to push', hint: users, complete: 'users' })}
${textField({ ...view.text('push_groups'), label: 'Groups allowed to push', hint: groups })}</div></details>`
}

export const grantNames = ['merge_users', 'merge_groups', 'push_users', 'push_groups'] as const
