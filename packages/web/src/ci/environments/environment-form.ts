import type { Environment } from '@stithy/core'
import { csrfField, textField } from '../../platform/design/form-fields.ts'
import { type FailedForm, FormView } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'

export const environmentFormName = 'environment'

interface EnvironmentForm {
  action: string
  button: string
  /** Absent for a new one. */
  environment?: Environment
  failed: FailedForm | undefined
}

/** The form of a new or an existing environment. */
export function environmentForm(
  call: PageCall,
  { action, button, environment, failed }: EnvironmentForm,
): Html {
  const view = new FormView(environmentFormName, failed)
  return html`<form method="post" action="${action}">
${csrfField(call)}
<div class="pair">${textField({ ...view.text('name', environment?.name), label: 'Name', required: true, maxLength: 255 })}
${textField({ ...view.text('external_url', environment?.external_url), label: 'Address', type: 'url' })}</div>
<button class="primary">${button}</button>
</form>`
}
