import type { GroupLabel, Label } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { csrfField, errorSummary, textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { loadOwner, ownAddress } from '../items/plan-owner.ts'
import { refusedPage } from '../items/refused-page.ts'
import { unlessDone } from '../items/unless-done.ts'
import { labelCalls, loadOwnLabel } from './label-calls.ts'

/** The colours that a new label is offered, which can be told apart in both themes. */
const colors = ['#d73a4a', '#0e8a16', '#0075ca', '#7057ff', '#fbca04', '#b60205', '#5319e7']

const fields = {
  name: 'name',
  title: 'name',
  new_name: 'name',
  color: 'color',
  priority: 'priority',
}

function idOf({ params }: PageCall): string {
  return params.label ?? ''
}

/** `GET …/-/labels/new`. */
export function showNewLabel(call: PageCall): Promise<Reply> {
  return labelForm(call)
}

/** `POST …/-/labels`. */
export async function createLabel(call: PageCall): Promise<Reply> {
  const { form } = call
  const label = { name: form.text('name'), ...settingsOf(call), color: form.text('color') }
  const created = await submit(labelCalls(call).create(label), fields)
  return created.ok
    ? redirect(ownAddress(call, 'labels'))
    : labelForm(call, { formErrors: created.formErrors })
}

function settingsOf({ form }: PageCall) {
  return {
    color: form.text('color'),
    description: form.text('description'),
    ...(form.has('priority') && { priority: form.number('priority') ?? null }),
  }
}

/** `GET …/-/labels/:label/edit`. */
export async function showEditLabel(call: PageCall): Promise<Reply> {
  return labelForm(call, { label: await loadOwnLabel(call, idOf(call)) })
}

/** `POST …/-/labels/:label`. */
export async function updateLabel(call: PageCall): Promise<Reply> {
  const label = await loadOwnLabel(call, idOf(call))
  const name = call.form.text('name')
  const renamed = name === label.name ? {} : { new_name: name }
  const changed = await submit(
    labelCalls(call).update(idOf(call), { ...settingsOf(call), ...renamed }),
    fields,
  )
  return changed.ok
    ? redirect(ownAddress(call, 'labels'))
    : labelForm(call, { label, formErrors: changed.formErrors })
}

/** Subscribes, unsubscribes, promotes or deletes a label. */
export function labelAction(action: 'subscribe' | 'unsubscribe' | 'promote' | 'remove') {
  return async (call: PageCall): Promise<Reply> => {
    const calls = labelCalls(call)
    const list = ownAddress(call, 'labels')
    const done = await submit(unlessDone(calls[action]?.(idOf(call)) ?? Promise.resolve()))
    return done.ok ? redirect(list) : refusedPage(done.formErrors, list)
  }
}

interface FormState {
  label?: Label | GroupLabel
  formErrors?: readonly FormError[]
}

async function labelForm(
  call: PageCall,
  { label, formErrors = [] }: FormState = {},
): Promise<Reply> {
  const owner = await loadOwner(call, { project: 'issues', group: 'labels' })
  const list = ownAddress(call, 'labels')
  const title = label === undefined ? 'New label' : `Edit label ${label.name}`
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `${title} · ${owner.path}`,
    place: owner.place,
    body: html`${heading(title)}${errorSummary(formErrors)}
${card({
  body: html`<form method="post" action="${label === undefined ? list : `${list}/${label.id}`}">${csrfField(call)}
${labelFields(call, { ...(label && { label }), formErrors }, owner.kind === 'project')}
<div class="buttons"><button class="primary">${label === undefined ? 'Create label' : 'Save changes'}</button> <a href="${list}">Cancel</a></div></form>`,
})}`,
  })
}

function labelFields(
  { form }: PageCall,
  { label, formErrors = [] }: FormState,
  hasPriority: boolean,
): Html {
  const typed = (name: string) => (formErrors.length > 0 ? form.text(name) : undefined)
  const priority = label !== undefined && 'priority' in label ? (label.priority ?? '') : ''
  return html`${textField({ id: 'name', label: 'Title', value: typed('name') ?? label?.name ?? '', required: true, maxLength: 255, formErrors })}
${textField({ id: 'description', label: 'Description', value: typed('description') ?? label?.description ?? '', formErrors })}
<div class="pair">${textField({ id: 'color', label: 'Colour', hint: 'Such as #d73a4a, or a name such as teal', value: typed('color') ?? label?.color ?? colors[0], required: true, formErrors })}
${hasPriority && textField({ id: 'priority', label: 'Priority', hint: 'A whole number; 0 is the most urgent', type: 'number', value: typed('priority') ?? String(priority), formErrors })}</div>
<p class="hint">Colours that go well: ${colors.map((color) => html`<span class="label"><svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${color}"/></svg><code>${color}</code></span> `)}</p>`
}
