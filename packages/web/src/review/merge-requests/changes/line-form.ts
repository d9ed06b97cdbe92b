import type { DiffPlace } from '../../../code/diffs/diff-entry.ts'
import { csrfField, errorSummary, textArea } from '../../../platform/design/form-fields.ts'
import type { Form } from '../../../platform/forms/form.ts'
import type { FormError } from '../../../platform/forms/submit.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { withQuery } from '../../../platform/text/addresses.ts'
import type { DiffRefs } from './shown-diff.ts'

/** A form on a line that was refused. */
export interface RefusedLine {
  form: Form
  formErrors: readonly FormError[]
}

interface LineForm {
  /** Of the page of changes. */
  address: string
  refs: DiffRefs
  place: DiffPlace
  /** The text of the line, which a suggestion begins with. */
  refused: RefusedLine | undefined
}

/** The form to start a thread on a line. */
export function lineForm(
  call: Pick<PageCall, 'csrfToken' | 'query'>,
  { address, refs, place, refused }: LineForm,
): Html {
  const hidden = {
    ...refs,
    old_path: place.oldPath,
    new_path: place.newPath,
    old_line: place.oldLine,
    new_line: place.newLine,
  }
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const formErrors = refused?.formErrors ?? []
  const back = withQuery(address, { line: undefined }, call.query)
  return html`<form method="post" action="${withQuery(`${address}/lines`, {}, call.query)}" id="form">
${csrfField(call)}${fields}${errorSummary(formErrors)}
${textArea({ id: 'line_body', name: 'body', label: `Comment on line ${place.newLine ?? place.oldLine}`, hint: html`Markdown works. Lines between <code>\`\`\`suggestion</code> and <code>\`\`\`</code> are offered as a change.`, value: refused?.form.text('body') ?? '', format: 'markdown', rows: 4, required: true, formErrors })}
<div class="buttons"><button class="primary">Start thread</button> <a href="${back}#${place.code}" data-cancel>Cancel</a></div></form>`
}
