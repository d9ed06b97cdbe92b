import type { Appearance } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { checkbox, csrfField, textArea, textField } from '../../platform/design/form-fields.ts'
import type { Form } from '../../platform/forms/form.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { adminAddress, adminPage } from './admin-page.ts'

const formName = 'appearance'

const pictures = {
  logo: 'Picture on the sign-in page',
  header_logo: 'Picture at the top of every page',
  favicon: 'Icon of the browser tab',
} as const
const pictureNames = Object.keys(pictures) as (keyof typeof pictures)[]

const texts = [
  'title',
  'description',
  'header_message',
  'footer_message',
  'message_background_color',
  'message_font_color',
] as const

/** `GET /admin/appearance`. */
export function showAppearance(call: PageCall): Promise<Reply> {
  return appearancePage(call)
}

async function appearancePage(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const appearance = await call.client.application.appearance.show()
  return adminPage({ area: 'appearance', failed, body: appearanceForm(call, appearance, failed) })
}

function appearanceForm(
  call: PageCall,
  appearance: Appearance,
  failed: FailedForm | undefined,
): Html {
  const view = new FormView(formName, failed)
  const text = (name: (typeof texts)[number], label: string, hint?: string) =>
    textField({ ...view.text(name, appearance[name]), label, hint })
  return html`<form method="post" action="${adminAddress('appearance')}" enctype="multipart/form-data">
${csrfField(call)}
${card({
  title: 'Sign-in page',
  body: html`${text('title', 'Title')}
${textArea({ ...view.text('description', appearance.description), label: 'Description', hint: 'In Markdown.', rows: 4 })}`,
})}
${card({ title: 'Pictures', body: html`${pictureNames.map((name) => pictureField(view, name, appearance[name]))}` })}
${card({
  title: 'Messages on every page',
  body: html`${text('header_message', 'Message above')}
${text('footer_message', 'Message below')}
<div class="pair">${text('message_background_color', 'Colour of the background', 'Such as #e75e40; the default if it is empty.')}
${text('message_font_color', 'Colour of the text', 'Such as #ffffff; the default if it is empty.')}</div>
${checkbox({ ...view.check('email_header_and_footer_enabled', appearance.email_header_and_footer_enabled), label: 'In mails as well' })}`,
})}
<button class="primary">Save appearance</button>
</form>`
}

function pictureField(view: FormView, name: keyof typeof pictures, present: string | null): Html {
  const hint =
    present === null ? 'At most 200 KB.' : 'At most 200 KB. The present one stays without a file.'
  return html`${textField({ ...view.text(name), value: '', label: pictures[name], hint, type: 'file' })}
${present !== null && html`<p><img class="preview" src="${present}" alt="${pictures[name]}"></p>${checkbox({ ...view.check(`remove_${name}`), label: 'Remove it' })}`}`
}

/** A new picture, '' for none, or undefined for what there is. */
function chosenPicture(form: Form, name: string): File | '' | undefined {
  const file = form.file(name)
  if (file !== undefined) return file
  return form.isChecked(`remove_${name}`) ? '' : undefined
}

/** `POST /admin/appearance`. */
export async function saveAppearance(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const files = pictureNames.flatMap((name) => {
    const file = chosenPicture(form, name)
    return file === undefined ? [] : [[name, file] as const]
  })
  const saved = await submit(
    client.application.appearance.update({
      ...Object.fromEntries(texts.map((name) => [name, form.text(name)])),
      ...Object.fromEntries(files),
      email_header_and_footer_enabled: form.isChecked('email_header_and_footer_enabled'),
    }),
    fieldIds(formName, [...texts, ...pictureNames]),
  )
  if (saved.ok) return redirect(adminAddress('appearance'))
  return appearancePage(call, { name: formName, form, formErrors: saved.formErrors })
}
