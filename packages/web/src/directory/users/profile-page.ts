import type { UserStatus } from '@stithy/core'
import { avatar } from '../../platform/design/avatar.ts'
import { card } from '../../platform/design/card.ts'
import { checkbox, csrfField, textField } from '../../platform/design/form-fields.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall, Viewer } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { chosenAvatar } from '../namespaces/avatar-field.ts'
import { profilePage, profilePages, withViewer } from './profile-frame.ts'

const forms = { profile: 'profile', status: 'status' }

/** The texts of the form, which the API takes by the same names. */
const texts = [
  'name',
  'bio',
  'location',
  'organization',
  'website_url',
  'public_email',
  'skype',
  'linkedin',
  'twitter',
] as const

/** `GET /-/profile`: what the viewer says of themselves. */
export function showProfile(call: PageCall, failed?: FailedForm): Promise<Reply> {
  return withViewer(call, async (viewer) => {
    const status = await call.client.users.status.show({ userId: viewer.id })
    return profilePage({
      title: 'Profile',
      failed,
      body: html`${card({ title: 'Status', body: statusForm(call, status, failed) })}
${card({ title: 'About you', body: profileForm(call, viewer, failed) })}`,
    })
  })
}

function statusForm(call: PageCall, status: UserStatus, failed: FailedForm | undefined): Html {
  const view = new FormView(forms.status, failed)
  return html`<form class="line" method="post" action="/-/profile/status">${csrfField(call)}
${textField({ ...view.text('message', status.message), label: 'What you are doing', maxLength: 100 })}
${textField({ ...view.text('emoji', status.emoji), label: 'Emoji, by name', maxLength: 100, suggestions: ['speech_balloon', 'coffee', 'palm_tree', 'face_with_thermometer', 'house', 'rocket'] })}
<button>Set status</button>
</form>`
}

function profileForm(call: PageCall, viewer: Viewer, failed: FailedForm | undefined): Html {
  const view = new FormView(forms.profile, failed)
  return html`<form method="post" action="/-/profile" enctype="multipart/form-data">${csrfField(call)}
<div class="row field">${avatar(viewer, 'huge')}<div class="grow">${textField({ ...view.text('avatar'), label: 'Picture', type: 'file', hint: 'PNG, JPEG, GIF or WebP, up to 200 KiB.' })}
${viewer.avatar_url !== null && checkbox({ ...view.check('remove_avatar'), label: 'Remove the picture' })}</div></div>
${textField({ ...view.text('name', viewer.name), label: 'Name', required: true, maxLength: 255, autocomplete: 'name' })}
${textField({ ...view.text('bio', viewer.bio), label: 'About you', maxLength: 255 })}
<div class="pair">
${textField({ ...view.text('location', viewer.location), label: 'Location', maxLength: 255 })}
${textField({ ...view.text('organization', viewer.organization), label: 'Organization', maxLength: 255 })}
${textField({ ...view.text('website_url', viewer.website_url), label: 'Website', maxLength: 255 })}
${textField({ ...view.text('public_email', viewer.public_email), label: 'Public e-mail address', type: 'email', maxLength: 255 })}
${textField({ ...view.text('skype', viewer.skype), label: 'Skype', maxLength: 255 })}
${textField({ ...view.text('linkedin', viewer.linkedin), label: 'LinkedIn', maxLength: 255 })}
${textField({ ...view.text('twitter', viewer.twitter), label: 'Twitter', maxLength: 255 })}
</div>
${checkbox({ ...view.check('private_profile', viewer.private_profile), label: 'Private profile', hint: 'Others see neither your activity nor since when you are a member.' })}
<div class="buttons"><button class="primary">Save changes</button></div>
</form>`
}

/** `POST /-/profile`. */
export async function saveProfile(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const values = Object.fromEntries(texts.map((field) => [field, form.text(field)]))
  const saved = await submit(
    client.users.profile.update({
      ...values,
      private_profile: form.isChecked('private_profile'),
      ...chosenAvatar(form),
    }),
    fieldIds(forms.profile, [...texts, 'avatar']),
  )
  if (saved.ok) return redirect(profilePages.Profile)
  return showProfile(call, { name: forms.profile, form, formErrors: saved.formErrors })
}

/** `POST /-/profile/status`: sets it, or clears it if both are empty. */
export async function saveStatus(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const saved = await submit(
    client.users.status.set({ emoji: form.text('emoji').trim(), message: form.text('message') }),
    fieldIds(forms.status, ['emoji', 'message']),
  )
  if (saved.ok) return redirect(profilePages.Profile)
  return showProfile(call, { name: forms.status, form, formErrors: saved.formErrors })
}
