import type { Feature } from '@stithy/core'
import { badge } from '../../platform/design/badge.ts'
import { actionButton } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { csrfField, textField } from '../../platform/design/form-fields.ts'
import type { Form } from '../../platform/forms/form.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { adminAddress, adminPage } from './admin-page.ts'

const formName = 'feature'

/** `GET /admin/features`: switches that clients keep here. */
export function showFeatures(call: PageCall): Promise<Reply> {
  return featureList(call)
}

async function featureList(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const features = await call.client.features.list()
  const list =
    features.length === 0
      ? emptyState({ title: 'No features', text: 'Switches that clients keep on this server.' })
      : dataTable({
          label: 'Features',
          columns: [
            { text: 'Name' },
            { text: 'State' },
            { text: 'Conditions' },
            { text: 'Actions', kind: 'actions' },
          ],
          rows: features.map((feature) => featureRow(call, feature)),
        })
  return adminPage({
    area: 'features',
    failed,
    body: html`${card({ body: list, isFlush: true })}
${card({ title: 'Set a feature', body: featureForm(call, failed) })}`,
  })
}

function featureRow(call: PageCall, { name, state, gates }: Feature) {
  const isOn = state === 'on'
  const conditions = gates.flatMap(({ key, value }) =>
    key === 'boolean' ? [] : `${key.replaceAll('_', ' ')}: ${String(value).replaceAll(',', ', ')}`,
  )
  return [
    html`<code>${name}</code>`,
    badge(state, isOn ? 'good' : state === 'off' ? '' : 'warning'),
    conditions.join('; '),
    html`${actionButton(call, {
      action: adminAddress('features'),
      text: isOn ? 'Turn off' : 'Turn on',
      label: `Turn ${name} ${isOn ? 'off' : 'on'}`,
      kind: 'quiet',
      values: { name, value: String(!isOn) },
    })} ${confirmation(call, {
      action: adminAddress('features', 'delete'),
      text: 'Delete',
      label: `Delete ${name}`,
      question: 'Clients find it off then.',
      values: { name },
    })}`,
  ]
}

const limits = ['feature_group', 'user', 'group', 'project'] as const

function featureForm(call: PageCall, failed: FailedForm | undefined): Html {
  const view = new FormView(formName, failed)
  return html`<form method="post" action="${adminAddress('features')}">
${csrfField(call)}
<div class="pair">${textField({ ...view.text('name'), label: 'Name', required: true, maxLength: 255 })}
${textField({ ...view.text('value', 'true'), label: 'Value', hint: html`<code>true</code>, <code>false</code>, or a percentage of the calls.`, required: true })}</div>
<details${limits.some((name) => view.text(name).value !== '') && html` open`}><summary>Only for some</summary>
<div class="pair">${textField({ ...view.text('feature_group'), label: 'Group of callers' })}
${textField({ ...view.text('user'), label: 'User', hint: 'A username.' })}
${textField({ ...view.text('group'), label: 'Group', hint: 'A path.' })}
${textField({ ...view.text('project'), label: 'Project', hint: 'A path.' })}</div></details>
<button class="primary">Set feature</button>
</form>`
}

/** The value as the API takes it; a text that is none is refused there. */
function featureValue(form: Form): boolean | number {
  const text = form.text('value').trim()
  if (text === 'true' || text === 'false') return text === 'true'
  return text === '' ? Number.NaN : Number(text)
}

/** `POST /admin/features`. */
export async function setFeature(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const value = featureValue(form)
  const failed = (formErrors: FailedForm['formErrors']) =>
    featureList(call, { name: formName, form, formErrors })
  if (Number.isNaN(value)) {
    const text = 'The value must be true, false or a percentage.'
    return failed([{ field: `${formName}-value`, text }])
  }
  const name = form.text('name').trim()
  if (name === '') return failed([{ field: `${formName}-name`, text: "Name can't be blank." }])
  const given = limits.map((limit) => [limit, form.optionalText(limit)] as const)
  const set = await submit(
    client.features.set({
      name,
      value,
      ...Object.fromEntries(given.filter(([, text]) => text !== undefined)),
    }),
    fieldIds(formName, ['name', 'value', ...limits]),
  )
  return set.ok ? redirect(adminAddress('features')) : failed(set.formErrors)
}

/** `POST /admin/features/delete`. */
export async function deleteFeature(call: PageCall): Promise<Reply> {
  await call.client.features.delete({ name: call.form.text('name') })
  return redirect(adminAddress('features'))
}
