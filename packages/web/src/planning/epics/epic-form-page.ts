import type { Epic } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { csrfField, errorSummary, textArea, textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { textPage } from '../../platform/pages/text-page.ts'
import { groupAddress } from '../../platform/text/addresses.ts'
import { listIn } from '../items/list-in.ts'
import { loadOwner } from '../items/plan-owner.ts'

const fields = {
  title: 'title',
  description: 'description',
  labels: 'labels',
  start_date_fixed: 'start_date',
  due_date_fixed: 'due_date',
}

function settingsOf({ form }: PageCall) {
  const [start, due] = [form.optionalText('start_date'), form.optionalText('due_date')]
  return {
    title: form.text('title'),
    description: form.text('description'),
    labels: listIn(form.text('labels')),
    // Without a date of its own, that of the milestones of its issues counts.
    start_date_is_fixed: start !== undefined,
    start_date_fixed: start ?? null,
    due_date_is_fixed: due !== undefined,
    due_date_fixed: due ?? null,
  }
}

/** `GET /groups/<group>/-/epics/new`. */
export function showNewEpic(call: PageCall): Promise<Reply> {
  return epicForm(call)
}

/** `POST /groups/<group>/-/epics`. */
export async function createEpic(call: PageCall): Promise<Reply> {
  const groupId = call.params.group ?? ''
  const created = await submit(call.client.epics.create({ groupId, ...settingsOf(call) }), fields)
  return created.ok
    ? redirect(groupAddress(groupId, 'epics', created.value.iid))
    : epicForm(call, { formErrors: created.formErrors })
}

function load(call: PageCall): Promise<Epic> {
  return call.client.epics.show({ groupId: call.params.group ?? '', epicIid: rowId(call, 'iid') })
}

/** `GET /groups/<group>/-/epics/:iid/description`. */
export const showEpicDescription = textPage(async (call) => (await load(call)).description)

/** `GET /groups/<group>/-/epics/:iid/edit`. */
export async function showEditEpic(call: PageCall): Promise<Reply> {
  return epicForm(call, { epic: await load(call) })
}

/** `POST /groups/<group>/-/epics/:iid/edit`; a form of an epic that was changed meanwhile is shown again. */
export async function editEpic(call: PageCall): Promise<Reply> {
  const groupId = call.params.group ?? ''
  const epic = await load(call)
  if (call.form.text('version') !== epic.updated_at) {
    const text = `Somebody changed the epic meanwhile: its title is now “${epic.title}”. Save again to replace it.`
    return epicForm(call, { epic, formErrors: [{ field: '', text }] })
  }
  const changed = await submit(
    call.client.epics.update({ groupId, epicIid: epic.iid, ...settingsOf(call) }),
    fields,
  )
  return changed.ok
    ? redirect(groupAddress(groupId, 'epics', epic.iid))
    : epicForm(call, { epic, formErrors: changed.formErrors })
}

interface FormState {
  epic?: Epic
  formErrors?: readonly FormError[]
}

async function epicForm(call: PageCall, { epic, formErrors = [] }: FormState = {}): Promise<Reply> {
  const owner = await loadOwner(call, { project: 'issues', group: 'epics' })
  const list = groupAddress(owner.path, 'epics')
  const own = epic === undefined ? list : `${list}/${epic.iid}`
  const title = epic === undefined ? 'New epic' : `Edit epic &${epic.iid}`
  const version = epic && html`<input type="hidden" name="version" value="${epic.updated_at}">`
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `${title} · ${owner.path}`,
    place: owner.place,
    body: html`${heading(title)}${errorSummary(formErrors)}
${card({
  body: html`<form method="post" action="${epic === undefined ? list : `${own}/edit`}">${csrfField(call)}${version}${epicFields(call, epic, formErrors)}
<div class="buttons"><button class="primary">${epic === undefined ? 'Create epic' : 'Save changes'}</button> <a href="${own}">Cancel</a></div></form>`,
})}`,
  })
}

function epicFields(
  { form }: PageCall,
  epic: Epic | undefined,
  formErrors: readonly FormError[],
): Html {
  const value = (name: string, stored: string | null | undefined) =>
    formErrors.length > 0 ? form.text(name) : (stored ?? '')
  const start = epic?.start_date_is_fixed === true ? epic.start_date_fixed : ''
  const due = epic?.due_date_is_fixed === true ? epic.due_date_fixed : ''
  const hint = 'Without one, that of the milestones of its issues counts'
  return html`${textField({ id: 'title', label: 'Title', value: value('title', epic?.title), required: true, maxLength: 255, formErrors })}
${textArea({ id: 'description', label: 'Description', value: value('description', epic?.description), format: 'markdown', rows: 8, formErrors })}
${textField({ id: 'labels', label: 'Labels', hint: 'Titles, with commas between', value: value('labels', epic?.labels.join(', ')), formErrors })}
<div class="pair">${textField({ id: 'start_date', label: 'Start date', hint, type: 'date', value: value('start_date', start), formErrors })}
${textField({ id: 'due_date', label: 'Due date', hint, type: 'date', value: value('due_date', due), formErrors })}</div>`
}
