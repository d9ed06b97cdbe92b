import {
  type ApplicationSettings,
  type SettingName,
  settingAreas,
  settingOf,
  settingsContract,
} from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { csrfField } from '../../platform/design/form-fields.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { adminAddress, adminPage } from './admin-page.ts'
import { settingField, submittedValue } from './setting-field.ts'

/** The settings that the server follows, which are those on the page. */
const areas = settingAreas.map(({ names, ...area }) => ({
  ...area,
  names: (names as readonly SettingName[]).filter((name) => settingOf(name).acts),
}))
type Area = (typeof areas)[number]

/** `GET /admin/application_settings`: a form for each area. */
export function showSettings(call: PageCall): Promise<Reply> {
  return settingsPage(call)
}

async function settingsPage(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const values = await call.client.application.settings.show()
  const links = areas.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)
  return adminPage({
    area: 'settings',
    failed,
    body: html`<p class="row">${links}</p>
${areas.map((area) => areaForm(call, area, values, failed))}
<p class="muted">These are the settings that this server follows; <code>PUT /api/v4/application/settings</code> takes the others too.</p>`,
  })
}

function areaForm(
  call: PageCall,
  { id, title, names }: Area,
  values: ApplicationSettings,
  failed: FailedForm | undefined,
): Html {
  const own = failed?.name === id ? failed : undefined
  const shown = (name: SettingName): unknown =>
    own === undefined ? values[name] : (submittedValue(name, own.form) ?? '')
  const fields = names.map((name) => settingField(name, shown(name), own?.formErrors ?? []))
  return card({
    title,
    id,
    body: html`<form method="post" action="${adminAddress('settings', id)}">
${csrfField(call)}
${fields}
<div class="buttons"><button class="primary" aria-label="Save ${title}">Save</button></div>
</form>`,
  })
}

/** `POST /admin/application_settings/:area`. */
export async function saveSettings(call: PageCall): Promise<Reply> {
  const area = areas.find(({ id }) => id === call.params.area)
  if (area === undefined) throw missing()
  const formErrors = await save(call, area)
  if (formErrors.length === 0) return redirect(`${adminAddress('settings')}#${area.id}`)
  return settingsPage(call, { name: area.id, form: call.form, formErrors })
}

/** Returns what is wrong with the form. */
async function save({ client, form }: PageCall, { names }: Area): Promise<FormError[]> {
  const values = Object.fromEntries(names.map((name) => [name, submittedValue(name, form)]))
  // The API names one invalid value; here all are marked.
  const parsed = settingsContract.update.body.safeParse(values)
  if (!parsed.success) {
    return parsed.error.issues.map(({ path: [name] }) => ({
      field: String(name),
      text: `${String(name)} is invalid.`,
    }))
  }
  const ids = Object.fromEntries(names.map((name) => [name, name]))
  const saved = await submit(client.application.settings.update(parsed.data), ids)
  return saved.ok ? [] : saved.formErrors
}
