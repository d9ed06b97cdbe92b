import {
  DomainError,
  type SettingName,
  settingAreas,
  settingOf,
  settingsContract,
} from '@stithy/core'
import { csrfField, errorSummary, type FormError, type Html, html } from '@stithy/web'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Session } from '../../directory/authentication/session.ts'
import { changeSettings } from '../../directory/settings/settings.service.ts'
import { formText } from '../../directory/sign-in/form.ts'
import type { App } from '../../platform/app.ts'
import { callerOf } from '../../platform/http/call.ts'
import { adminOnly, adminPath, sendAdminPage } from './admin-page.ts'
import { settingField, submittedValue } from './setting-field.ts'

const path = `${adminPath}/application_settings` as const

/** The settings that the server follows, which are those on the page. */
const areas = settingAreas.map(({ names, ...area }) => ({
  ...area,
  names: (names as readonly SettingName[]).filter((name) => settingOf(name).acts),
}))
type Area = (typeof areas)[number]

/** Registers the page of the instance settings, with a form for each area. */
export function registerSettingsPage(server: FastifyInstance, app: App): void {
  server.get(
    path,
    adminOnly(async (_request, reply, session) => showSettings(app, reply, session)),
  )
  for (const area of areas) {
    server.post(
      `${path}/${area.id}`,
      adminOnly(async (request, reply, session) => {
        const formErrors = await save(app, session, area, request.body)
        if (formErrors.length === 0) return reply.redirect(`${path}#${area.id}`, 302)
        return showSettings(app, reply, session, { body: request.body, area, formErrors })
      }),
    )
  }
}

/** Returns what is wrong with the form. */
async function save(
  app: App,
  session: Session,
  { names }: Area,
  body: unknown,
): Promise<FormError[]> {
  const values = Object.fromEntries(names.map((name) => [name, submitted(name, body)]))
  const parsed = settingsContract.update.body.safeParse(values)
  if (!parsed.success) {
    return parsed.error.issues.map(({ path: [name] }) => formError(String(name), 'is invalid'))
  }
  try {
    await changeSettings(app, callerOf(session.user), parsed.data)
    return []
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'validation_failed') throw error
    return Object.entries(error.detail.fields ?? {}).flatMap(([name, texts]) =>
      texts.map((text) => formError(name, text)),
    )
  }
}

const submitted = (name: SettingName, body: unknown) => submittedValue(name, formText(body, name))

function formError(field: string, text: string): FormError {
  return { field, text: `${field} ${text}.` }
}

/** A form that is shown again. */
interface FailedForm {
  area: Area
  body: unknown
  formErrors: readonly FormError[]
}

function showSettings(
  app: App,
  reply: FastifyReply,
  session: Session,
  failed?: FailedForm,
): FastifyReply {
  const forms = areas.map((area) => areaForm(app, session, area, failed))
  return sendAdminPage(reply, session, {
    path,
    title: 'Settings',
    status: failed === undefined ? 200 : 422,
    body: html`${errorSummary(failed?.formErrors ?? [])}
<p>Settings that this server follows; <code>PUT /api/v4/application/settings</code> takes the others too.</p>
${forms}`,
  })
}

function areaForm(app: App, { csrfToken }: Session, area: Area, failed?: FailedForm): Html {
  const shown = (name: SettingName): unknown =>
    failed?.area === area ? (submitted(name, failed.body) ?? '') : app.settings[name]
  return html`<form id="${area.id}" method="post" action="${path}/${area.id}">
<h2>${area.title}</h2>
${csrfField({ csrfToken })}
${area.names.map((name) => settingField(name, shown(name)))}
<button type="submit">Save</button>
</form>`
}
