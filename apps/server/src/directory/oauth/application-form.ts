import { oauthScopes } from '@stithy/core'
import { type ApplicationRow, fromJsonText } from '@stithy/store'
import { csrfField, type FormError, type Html, html, textArea, textField } from '@stithy/web'
import type { CallerUser } from '../../platform/http/caller.ts'
import type { Session } from '../authentication/session.ts'
import { formText, formTexts } from '../sign-in/form.ts'
import { type FieldLabel, formErrorsOf } from '../sign-in/page.ts'
import { offeredScopes, onlyOffered, scopeChoices } from '../sign-in/scope-choices.ts'
import type { ApplicationRequest } from './application.service.ts'
import { scopeTexts } from './scope-texts.ts'

/** The values of a form: new, submitted, or those of an application. */
export interface ApplicationForm {
  name: string
  /** One URI in each line. */
  redirectUri: string
  scopes: readonly string[]
  confidential: boolean
}

export const emptyForm: ApplicationForm = {
  name: '',
  redirectUri: '',
  scopes: [],
  confidential: true,
}

/** The form of an application as it is. */
export function formOf({ name, redirectUris, scopes, confidential }: ApplicationRow) {
  return {
    name,
    redirectUri: fromJsonText<string[]>(redirectUris).join('\n'),
    scopes: fromJsonText<string[]>(scopes),
    confidential: confidential === 1,
  }
}

/** The name of the parameters, as v4's form has it. */
const at = 'doorkeeper_application'

/** Reads a submitted form. */
export function readForm(body: unknown): ApplicationForm {
  return {
    name: formText(body, at, 'name').trim(),
    redirectUri: formText(body, at, 'redirect_uri'),
    scopes: formTexts(body, at, 'scopes'),
    confidential: formText(body, at, 'confidential') === '1',
  }
}

/** What a form asks for; scopes that the user was not offered are rejected. */
export function requestOf(user: CallerUser, { scopes, ...form }: ApplicationForm) {
  const allowed = onlyOffered(offeredScopes(user, oauthScopes), scopes)
  return { ...form, scopes: allowed.join(' ') } satisfies ApplicationRequest
}

const fieldLabels: Readonly<Record<string, FieldLabel>> = {
  name: { field: 'application_name', label: 'The name' },
  redirect_uri: { field: 'application_redirect_uri', label: 'Redirect URI:' },
  scopes: { field: 'application_scope_api', label: 'The list of scopes' },
  base: { field: 'application_name', label: '' },
}

/** The errors of a form, by its fields. */
export function applicationFormErrors(fields: Record<string, string[]> | undefined): FormError[] {
  return formErrorsOf(fields, fieldLabels, 'application_name')
}

interface FormTexts {
  /** Where the form is sent. */
  action: string
  title: string
  button: string
}

/** The form to register or edit an application. */
export function applicationForm(
  { user, csrfToken }: Session,
  { action, title, button }: FormTexts,
  { form, formErrors }: { form: ApplicationForm; formErrors: readonly FormError[] },
): Html {
  const scopes = scopeChoices({
    prefix: 'application',
    name: `${at}[scopes][]`,
    legend: 'Scopes: what the application may ask users for',
    offered: offeredScopes(user, oauthScopes),
    texts: scopeTexts,
    ticked: form.scopes,
    formErrors,
  })
  return html`<form method="post" action="${action}">
<h2>${title}</h2>
${csrfField({ csrfToken })}
${textField({ id: 'application_name', name: `${at}[name]`, label: 'Name', type: 'text', value: form.name, hint: 'Users see it when they are asked for their consent.', autocomplete: 'off', required: true, formErrors })}
${textArea({ id: 'application_redirect_uri', name: `${at}[redirect_uri]`, label: 'Redirect URIs', value: form.redirectUri, hint: 'Where users are sent back to. One in each line.', required: true, formErrors })}
<div class="choice">
<input id="application_confidential" name="${at}[confidential]" type="checkbox" value="1" aria-describedby="application_confidential-hint" ${form.confidential && html`checked`}>
<div><label for="application_confidential">Confidential</label>
<p class="hint" id="application_confidential-hint">It can keep its secret, and must send it. Applications in browsers and on devices of users cannot; they must use PKCE.</p></div>
</div>
${scopes}
<p><button class="primary" type="submit">${button}</button></p>
</form>`
}
