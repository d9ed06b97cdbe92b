import {
  type GlobalNotificationSetting,
  globalNotificationLevels,
  notificationEvents,
} from '@stithy/core'
import { profilePage, profilePages, withViewer } from '../../directory/users/profile-frame.ts'
import { card } from '../../platform/design/card.ts'
import { checkbox, csrfField, radioGroup, selectField } from '../../platform/design/form-fields.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'

const name = 'notifications'

type Level = (typeof globalNotificationLevels)[number]

const levels: Readonly<Record<Level, { text: string; hint: string }>> = {
  participating: { text: 'Participate', hint: 'What you take part in, and mentions.' },
  watch: { text: 'Watch', hint: 'All activity.' },
  mention: { text: 'On mention', hint: 'When somebody mentions you.' },
  custom: { text: 'Custom', hint: 'What you take part in, and what you choose below.' },
  disabled: { text: 'Nothing', hint: 'No mails.' },
}

const eventTexts: Readonly<Record<(typeof notificationEvents)[number], string>> = {
  new_note: 'New comments',
  new_issue: 'New issues',
  reopen_issue: 'Reopened issues',
  close_issue: 'Closed issues',
  reassign_issue: 'Reassigned issues',
  issue_due: 'Issues that are due',
  new_merge_request: 'New merge requests',
  push_to_merge_request: 'Pushes to merge requests',
  reopen_merge_request: 'Reopened merge requests',
  close_merge_request: 'Closed merge requests',
  reassign_merge_request: 'Reassigned merge requests',
  merge_merge_request: 'Merged merge requests',
  failed_pipeline: 'Failed pipelines',
  success_pipeline: 'Successful pipelines',
  new_epic: 'New epics',
}

/** `GET /-/profile/notifications`: which mails the viewer gets, and where. */
export function showNotifications(call: PageCall, failed?: FailedForm): Promise<Reply> {
  return withViewer(call, async (viewer) => {
    const { client } = call
    const [setting, emails] = await loadAll([
      client.notificationSettings.show(),
      client.users.emails.list({ per_page: 100 }),
    ])
    const addresses = [viewer.email, ...emails.items.map(({ email }) => email)]
    const body = card({ body: settingForm(call, setting, addresses, failed) })
    return profilePage({ title: 'Notifications', failed, body })
  })
}

function settingForm(
  call: PageCall,
  setting: GlobalNotificationSetting,
  addresses: readonly string[],
  failed: FailedForm | undefined,
): Html {
  const view = new FormView(name, failed)
  const known = new Set([setting.notification_email, ...addresses])
  const isChosen = (event: (typeof notificationEvents)[number]) => setting.events?.[event] === true
  return html`<form method="post" action="${profilePages.Notifications}">${csrfField(call)}
${selectField({ ...view.text('notification_email', setting.notification_email), label: 'Mails are sent to', options: [...known].map((email) => ({ value: email, text: email })) })}
${radioGroup({
  name: 'level',
  legend: 'What you hear of',
  options: Object.entries(levels).map(([value, texts]) => ({ value, ...texts })),
  value: failed?.form.text('level') ?? setting.level,
})}
<fieldset><legend>With “Custom”</legend><div class="choices">
${notificationEvents.map((event) => checkbox({ ...view.check(event, isChosen(event)), label: eventTexts[event] }))}
</div></fieldset>
<div class="buttons"><button class="primary">Save changes</button></div>
</form>`
}

/** `POST /-/profile/notifications`. */
export async function saveNotifications(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const level = globalNotificationLevels.find((each) => each === form.text('level'))
  const events = Object.fromEntries(
    notificationEvents.map((event) => [event, form.isChecked(event)]),
  )
  const saved = await submit(
    client.notificationSettings.update({
      ...(level === undefined ? {} : { level }),
      notification_email: form.text('notification_email'),
      ...(level === 'custom' ? events : {}),
    }),
    fieldIds(name, ['notification_email']),
  )
  if (saved.ok) return redirect(profilePages.Notifications)
  return showNotifications(call, { name, form, formErrors: saved.formErrors })
}
