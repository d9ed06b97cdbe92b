import { card } from '../../platform/design/card.ts'
import { errorSummary } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import type { FormError } from '../../platform/forms/submit.ts'
import { html } from '../../platform/html/html.ts'
import { type PageReply, page } from '../../platform/pages/reply.ts'

/** What a button or a small form of a page was refused for, and the way back. */
export function refusedPage(formErrors: readonly FormError[], back: string): PageReply {
  return page({
    status: 422,
    title: 'That did not work',
    body: html`${heading('Nothing was changed')}${errorSummary(formErrors.map(({ text }) => ({ field: '', text })))}
${card({ body: html`<p>Go <a href="${back}">back to the page</a> and try again.</p>` })}`,
  })
}
