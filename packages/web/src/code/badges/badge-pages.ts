import type { Badge } from '@stithy/core'
import { loadSettingsOwner, type SettingsOwner } from '../../directory/settings/settings-owner.ts'
import { badge as pill } from '../../platform/design/badge.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { csrfField, textField } from '../../platform/design/form-fields.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'

const formName = 'badge'
const names = ['link_url', 'image_url'] as const
const base = ['settings', 'badges'] as const

/** `GET …/-/settings/badges` of a project or group. */
export function showBadges(call: PageCall): Promise<Reply> {
  return badgeList(call)
}

async function badgeList(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const owner = await loadSettingsOwner(call)
  const badges = await call.client.badges.list({ ...owner.parent, ...pageNumber(call.query) })
  const list =
    badges.items.length === 0
      ? emptyState({
          title: 'No badges',
          text: 'A badge is a small picture with a link on the page of a project.',
        })
      : dataTable({
          label: 'Badges',
          columns: [{ text: 'Picture' }, { text: 'Link' }, { text: 'Actions', kind: 'actions' }],
          rows: badges.items.map((badge) => badgeRow(call, owner, badge)),
        })
  const fields = { action: owner.address(...base), button: 'Add badge', failed }
  return owner.page({
    current: 'badges',
    failed,
    body: html`${card({ body: list, isFlush: true })}
${pagination(badges, owner.address(...base), call.query)}
${card({ title: 'Add a badge', body: badgeForm(call, fields) })}`,
  })
}

/** A project shows the badges of its groups as well, which are changed there. */
function badgeRow(call: PageCall, owner: SettingsOwner, badge: Badge) {
  const { id, image_url: image, rendered_link_url: link, kind } = badge
  const isInherited = kind === 'group' && owner.noun === 'project'
  return [
    isInherited
      ? html`${image} ${pill('of the group')}`
      : html`<a href="${owner.address(...base, id, 'edit')}">${image}</a>`,
    link,
    isInherited
      ? undefined
      : confirmation(call, {
          action: owner.address(...base, id, 'delete'),
          text: 'Delete',
          label: `Delete ${image}`,
          question: 'No page shows it any more.',
        }),
  ]
}

interface BadgeForm {
  action: string
  button: string
  badge?: Badge
  failed: FailedForm | undefined
}

function badgeForm(call: PageCall, { action, button, badge, failed }: BadgeForm): Html {
  const view = new FormView(formName, failed)
  return html`<form method="post" action="${action}">
${csrfField(call)}
<p class="hint">In both, <code>%{project_path}</code>, <code>%{project_id}</code>, <code>%{default_branch}</code> and <code>%{commit_sha}</code> stand for those of the project that shows it.</p>
${textField({ ...view.text('image_url', badge?.image_url), label: 'URL of the picture', required: true })}
${textField({ ...view.text('link_url', badge?.link_url), label: 'URL that it links to', required: true })}
<button class="primary">${button}</button>
</form>`
}

const valuesOf = ({ form }: PageCall) => ({
  link_url: form.text('link_url').trim(),
  image_url: form.text('image_url').trim(),
})

/** `POST …/-/settings/badges`. */
export async function addBadge(call: PageCall): Promise<Reply> {
  const { parent, address } = await loadSettingsOwner(call)
  const values = { ...valuesOf(call), ...parent }
  const created = await submit(call.client.badges.create(values), fieldIds(formName, names))
  if (created.ok) return redirect(address(...base))
  return badgeList(call, { name: formName, form: call.form, formErrors: created.formErrors })
}

/** `GET …/-/settings/badges/:id/edit`. */
export function showBadgeEdit(call: PageCall): Promise<Reply> {
  return badgeEdit(call)
}

async function badgeEdit(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const badgeId = rowId(call)
  const owner = await loadSettingsOwner(call)
  const badge = await call.client.badges.show({ ...owner.parent, badgeId })
  const action = owner.address(...base, badgeId, 'edit')
  return owner.page({
    current: 'badges',
    title: 'Edit badge',
    failed,
    body: card({ body: badgeForm(call, { action, button: 'Save badge', badge, failed }) }),
  })
}

/** `POST …/-/settings/badges/:id/edit`. */
export async function saveBadge(call: PageCall): Promise<Reply> {
  const { parent, address } = await loadSettingsOwner(call)
  const values = { ...valuesOf(call), ...parent, badgeId: rowId(call) }
  const saved = await submit(call.client.badges.update(values), fieldIds(formName, names))
  if (saved.ok) return redirect(address(...base))
  return badgeEdit(call, { name: formName, form: call.form, formErrors: saved.formErrors })
}

/** `POST …/-/settings/badges/:id/delete`. */
export async function deleteBadge(call: PageCall): Promise<Reply> {
  const { parent, address } = await loadSettingsOwner(call)
  await call.client.badges.delete({ ...parent, badgeId: rowId(call) })
  return redirect(address(...base))
}
