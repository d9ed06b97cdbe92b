import { themeOf, themes } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { checkbox, csrfField, radioGroup } from '../../platform/design/form-fields.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { profilePage, profilePages, withViewer } from './profile-frame.ts'

const themeOptions = [
  { value: 'auto', text: 'As the browser has it' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
]

/** `GET /-/profile/preferences`: how the pages look to the viewer. */
export function showPreferences(call: PageCall, failed?: FailedForm): Promise<Reply> {
  return withViewer(call, async (viewer) => {
    const stored = await call.client.users.preferences.show()
    const form = html`<form method="post" action="${profilePages.Preferences}">${csrfField(call)}
${radioGroup({ name: 'theme', legend: 'Colours', options: themeOptions, value: failed?.form.text('theme') ?? themeOf(viewer.theme_id) })}
<fieldset><legend>Diffs</legend>
${checkbox({ id: 'view_diffs_file_by_file', label: 'One file at a time', isChecked: stored.view_diffs_file_by_file })}
${checkbox({ id: 'show_whitespace_in_diffs', label: 'Show changes of whitespace', isChecked: stored.show_whitespace_in_diffs })}
</fieldset>
<div class="buttons"><button class="primary">Save changes</button></div>
</form>`
    return profilePage({ title: 'Preferences', failed, body: card({ body: form }) })
  })
}

/** `POST /-/profile/preferences`. */
export async function savePreferences(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const chosen = themeOptions.find(({ value }) => value === form.text('theme'))?.value
  const theme = themes[chosen === 'light' || chosen === 'dark' ? chosen : 'auto']
  const saved = await submit(
    loadAll([
      client.users.profile.update({ theme_id: theme }),
      client.users.preferences.update({
        view_diffs_file_by_file: form.isChecked('view_diffs_file_by_file'),
        show_whitespace_in_diffs: form.isChecked('show_whitespace_in_diffs'),
      }),
    ]),
  )
  if (saved.ok) return redirect(profilePages.Preferences)
  return showPreferences(call, { name: 'preferences', form, formErrors: saved.formErrors })
}
