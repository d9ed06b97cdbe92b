import { type WebhookTrigger, webhookTriggers } from '@stithy/core'
import { checkbox, csrfField, textField } from '../../platform/design/form-fields.ts'
import type { Form } from '../../platform/forms/form.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import type { Hook, HookValues } from './hook-calls.ts'

export const hookForm = 'hook'

/** What people call the events of each trigger. */
export const triggerTexts: Readonly<Record<WebhookTrigger, string>> = {
  push_events: 'Pushes',
  tag_push_events: 'Tags',
  issues_events: 'Issues',
  confidential_issues_events: 'Confidential issues',
  merge_requests_events: 'Merge requests',
  note_events: 'Comments',
  confidential_note_events: 'Confidential comments',
  job_events: 'Jobs',
  pipeline_events: 'Pipelines',
  wiki_page_events: 'Wiki pages',
}

interface HookFields {
  /** What the form is sent to. */
  action: string
  /** The text of its button. */
  button: string
  hook?: Hook
  failed: FailedForm | undefined
}

/** The form of a new or an existing webhook. */
export function hookFields(call: PageCall, { action, button, hook, failed }: HookFields): Html {
  const view = new FormView(hookForm, failed)
  const triggers = webhookTriggers.map((name) =>
    checkbox({
      ...view.check(name, hook?.[name] ?? name === 'push_events'),
      label: triggerTexts[name],
    }),
  )
  return html`<form method="post" action="${action}">
${csrfField(call)}
${textField({ ...view.text('url', hook?.url), label: 'URL', type: 'url', required: true, placeholder: 'https://example.org/hook' })}
${textField({ ...view.text('token'), label: 'Secret token', type: 'secret', hint: tokenHint(hook) })}
<fieldset><legend>Events</legend><div class="choices">${triggers}</div></fieldset>
${textField({ ...view.text('push_events_branch_filter', hook?.push_events_branch_filter), label: 'Branches whose pushes are sent', hint: html`A name or a pattern such as <code>release/*</code>; all branches, if this is empty.` })}
${checkbox({ ...view.check('enable_ssl_verification', hook?.enable_ssl_verification ?? true), label: 'Check the certificate of the receiver' })}
<div class="buttons"><button class="primary">${button}</button></div>
</form>`
}

function tokenHint(hook: Hook | undefined): Html {
  return html`Sent with every event as <code>X-Stithy-Token</code>.${hook !== undefined && ' The present one stays if this is empty.'}`
}

/** The ids of the fields by their parameters. */
export const hookFieldIds = fieldIds(hookForm, ['url', 'token', 'push_events_branch_filter'])

/** What the form sends; an empty token leaves the present one. */
export function hookValues(form: Form): HookValues {
  const triggers = Object.fromEntries(
    webhookTriggers.map((name) => [name, form.isChecked(name)]),
  ) as Record<WebhookTrigger, boolean>
  const token = form.text('token')
  return {
    url: form.text('url').trim(),
    ...triggers,
    push_events_branch_filter: form.text('push_events_branch_filter').trim(),
    enable_ssl_verification: form.isChecked('enable_ssl_verification'),
    ...(token !== '' && { token }),
  }
}
