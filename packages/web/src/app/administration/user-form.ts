import { type AdminUser, maxPasswordLength, minPasswordLength } from '@stithy/core'
import { checkbox, csrfField, textArea, textField } from '../../platform/design/form-fields.ts'
import type { Form } from '../../platform/forms/form.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'

export const userForm = 'user'

interface UserFields {
  action: string
  button: string
  /** Absent for a new one. */
  user?: AdminUser
  failed: FailedForm | undefined
}

/** The form of a new or an existing user. */
export function userFields(call: PageCall, { action, button, user, failed }: UserFields): Html {
  const view = new FormView(userForm, failed)
  const password = user === undefined ? newPassword(view) : otherPassword(view)
  return html`<form method="post" action="${action}">
${csrfField(call)}
<div class="pair">${textField({ ...view.text('name', user?.name), label: 'Name', required: true, maxLength: 255 })}
${textField({ ...view.text('username', user?.username), label: 'Username', required: true, maxLength: 255, autocomplete: 'off' })}
${textField({ ...view.text('email', user?.email), label: 'E-mail address', type: 'email', required: true, autocomplete: 'off' })}
${password}
${textField({ ...view.text('projects_limit', user?.projects_limit), label: 'Personal projects at most', type: 'number', hint: 'The instance setting, if this is empty.' })}</div>
<fieldset><legend>Rights</legend>
${checkbox({ ...view.check('admin', user?.is_admin), label: 'Administrator', hint: 'Sees and changes everything.' })}
${checkbox({ ...view.check('can_create_group', user?.can_create_group ?? true), label: 'May create groups' })}
${checkbox({ ...view.check('external', user?.external), label: 'External', hint: 'Sees internal projects as a member alone.' })}
${checkbox({ ...view.check('private_profile', user?.private_profile), label: 'Private profile' })}</fieldset>
${user?.note !== undefined && textArea({ ...view.text('note', user.note), label: 'Note', hint: 'For administrators.', rows: 3 })}
<div class="buttons"><button class="primary">${button}</button></div>
</form>`
}

function passwordField(view: FormView, label: string, hint: string): Html {
  return textField({
    ...view.text('password'),
    value: '',
    label,
    hint: `${minPasswordLength} to ${maxPasswordLength} characters. ${hint}`,
    type: 'password',
    autocomplete: 'new-password',
  })
}

function newPassword(view: FormView): Html {
  return passwordField(view, 'Password', 'A link to choose one is sent if this is empty.')
}

function otherPassword(view: FormView): Html {
  return passwordField(
    view,
    'New password',
    'The present one stays if this is empty; a new one ends all sessions.',
  )
}

/** The ids of the fields by their parameters. */
export const userFieldIds = fieldIds(userForm, [
  'name',
  'username',
  'email',
  'password',
  'projects_limit',
  'admin',
  'note',
])

/** What both forms send. */
export function userValues(form: Form) {
  const limit = form.number('projects_limit')
  return {
    name: form.text('name'),
    username: form.text('username').trim(),
    email: form.text('email').trim(),
    admin: form.isChecked('admin'),
    can_create_group: form.isChecked('can_create_group'),
    external: form.isChecked('external'),
    private_profile: form.isChecked('private_profile'),
    ...(limit !== undefined && { projects_limit: limit }),
    ...(form.has('note') && { note: form.text('note') }),
  }
}
