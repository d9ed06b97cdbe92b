import type { FormError } from '../forms/submit.ts'
import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'

export const formFieldStyle = css`
.field { margin: 0 0 var(--space-4); max-width: 44rem; }
.field.wide { max-width: none; }
label, legend { display: block; font-weight: 600; margin-bottom: var(--space-1); padding: 0; }
.required { color: var(--muted); font-weight: 400; font-size: var(--small); }
fieldset { border: 0; padding: 0; margin: 0 0 var(--space-4); }
.hint { color: var(--muted); font-size: var(--small); margin: 0 0 var(--space-1); }
.wrong { color: var(--danger); font-weight: 600; margin: 0 0 var(--space-1); }
input:not([type=checkbox], [type=radio], [type=hidden], [type=file], [type=range]), select, textarea {
  width: 100%; min-height: 2.125rem; font: inherit; line-height: 1.375rem; padding: .3125rem .625rem; color: inherit; background: var(--surface); border: 1px solid var(--edge); border-radius: var(--radius); }
input.secret { -webkit-text-security: disc; }
input[type=file] { max-width: 100%; }
textarea { display: block; min-height: 6rem; resize: vertical; line-height: 1.5; }
textarea.code { font-family: var(--mono); font-size: .8125rem; tab-size: 4; white-space: pre; overflow-x: auto; }
input[aria-invalid=true], textarea[aria-invalid=true], select[aria-invalid=true] { border: 2px solid var(--danger); }
:is(input, select, textarea):disabled { background: var(--raised); color: var(--muted); border-color: var(--line); cursor: not-allowed; }
:disabled :is(label, legend), .choice:has(> :disabled) { color: var(--muted); }
.choice { display: flex; gap: .6rem; align-items: baseline; padding: .2rem 0; }
.choice input { margin: 0; flex: none; }
.choice label { font-weight: 400; margin: 0; }
.choice .hint { margin: 0; }
form.line { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-3); align-items: end; }
form.line > button { min-height: 2.125rem; }
form.line .field { margin: 0; flex: 0 1 auto; }
form.line .field:first-of-type:has(input:not([type=date])) { flex: 1 1 14rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: 0 var(--space-4); }
form details > summary { margin: 0 0 var(--space-3); }
.choices { columns: 14rem; }
.choices .choice { break-inside: avoid; }
.buttons { display: flex; flex-wrap: wrap; gap: var(--space-3); align-items: center; margin-top: var(--space-4); }
.summary { border: 1px solid var(--danger); border-left-width: .3rem; border-radius: var(--radius); padding: var(--space-3) var(--space-4); margin: 0 0 var(--space-4); background: var(--surface); }
.summary h2 { font-size: 1rem; margin: 0 0 var(--space-1); }
.summary ul { margin: 0; padding-left: 1.2rem; }
`

/** The field by which the server knows that a form is one of its own. */
export const csrfName = 'authenticity_token'

/** What has the token of the session: the call of a page. */
export interface Csrf {
  readonly csrfToken: string
}

export function csrfField({ csrfToken }: Csrf): Html {
  return html`<input type="hidden" name="${csrfName}" value="${csrfToken}">`
}

interface Field {
  id: string
  /** Name of the parameter; default: the id. */
  name?: string
  label: string
  hint?: string | Html | undefined
  required?: boolean
  formErrors?: readonly FormError[]
}

export interface TextField extends Field {
  value?: string | undefined
  /** `secret`: a text that is hidden, which browsers don't take for a password of the user. */
  type?: 'text' | 'secret' | 'password' | 'date' | 'number' | 'email' | 'url' | 'search' | 'file'
  autocomplete?: string
  placeholder?: string
  maxLength?: number
  /** Values that the browser offers; others may be typed as well. */
  suggestions?: readonly string[]
  /** What the script completes: names, separated by commas. */
  complete?: 'users' | 'labels'
}

/** A field of one line. */
export function textField({
  type = 'text',
  value = '',
  autocomplete,
  placeholder,
  maxLength,
  suggestions = [],
  complete,
  ...field
}: TextField): Html {
  const list = suggestions.length > 0 && `${field.id}-list`
  return labelled(
    field,
    (attributes) =>
      html`<input ${attributes} ${typeOf(type)} value="${value}"${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}${placeholder !== undefined && html` placeholder="${placeholder}"`}${maxLength !== undefined && html` maxlength="${maxLength}"`}${list && html` list="${list}"`}${complete !== undefined && html` data-complete="${complete}"`}>${list && html`<datalist id="${list}">${suggestions.map((text) => html`<option value="${text}"></option>`)}</datalist>`}`,
  )
}

function typeOf(type: string): Html {
  return type === 'secret'
    ? html`type="text" class="secret" spellcheck="false" autocomplete="off"`
    : html`type="${type}"`
}

interface TextArea extends Field {
  value?: string | undefined
  rows?: number
  /** `code`: a fixed-width font and no line breaks of its own; `markdown`: with help and preview. */
  format?: 'text' | 'code' | 'markdown'
  placeholder?: string
}

/** A field of several lines. */
export function textArea({
  value = '',
  rows = 6,
  format = 'text',
  placeholder,
  ...field
}: TextArea): Html {
  // A line break after the tag is not part of the text.
  return labelled(
    field,
    (
      attributes,
    ) => html`<textarea ${attributes} rows="${rows}"${format === 'code' && html` class="code" spellcheck="false" wrap="off"`}${format === 'markdown' && html` data-markdown`}${placeholder !== undefined && html` placeholder="${placeholder}"`}>
${value}</textarea>`,
    format === 'text' ? '' : 'wide',
  )
}

/** A value of a choice, and what people read. */
export interface Option {
  value: string
  text: string
}

interface SelectField extends Field {
  options: readonly Option[]
  value?: string | undefined
}

/** A choice from a list. */
export function selectField({ options, value, ...field }: SelectField): Html {
  return labelled(
    field,
    (attributes) =>
      html`<select ${attributes}>${options.map(
        (option) =>
          html`<option value="${option.value}"${option.value === value && html` selected`}>${option.text}</option>`,
      )}</select>`,
  )
}

interface Checkbox {
  id: string
  name?: string
  label: string
  hint?: string
  isChecked?: boolean
  /** Default `1`. */
  value?: string
}

/** A checkbox; unticked, it sends nothing. */
export function checkbox({ id, name = id, label, hint, isChecked, value = '1' }: Checkbox): Html {
  return html`<div class="choice"><input type="checkbox" id="${id}" name="${name}" value="${value}"${isChecked === true && html` checked`}${hint !== undefined && html` aria-describedby="${id}-hint"`}>
<div><label for="${id}">${label}</label>${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div></div>`
}

interface RadioGroup {
  /** Name of the parameter, and the beginning of the ids. */
  name: string
  legend: string
  options: readonly (Option & { hint?: string })[]
  value?: string | undefined
}

/** A choice of which all values are shown. */
export function radioGroup({ name, legend, options, value }: RadioGroup): Html {
  return html`<fieldset><legend>${legend}</legend>${options.map(
    (
      option,
    ) => html`<div class="choice"><input type="radio" id="${name}-${option.value}" name="${name}" value="${option.value}"${option.value === value && html` checked`}>
<div><label for="${name}-${option.value}">${option.text}</label>${option.hint !== undefined && html`<p class="hint">${option.hint}</p>`}</div></div>`,
  )}</fieldset>`
}

/** What is wrong with a form, above it, with links to the fields. */
export function errorSummary(formErrors: readonly FormError[]): Html | undefined {
  if (formErrors.length === 0) return undefined
  const items = formErrors.map(({ field, text }) =>
    field === '' ? html`<li>${text}</li>` : html`<li><a href="#${field}">${text}</a></li>`,
  )
  return html`<section class="summary" role="alert" aria-labelledby="summary-title">
<h2 id="summary-title">That did not work</h2>
<ul>${items}</ul>
</section>`
}

/** The label of a field. What must be filled in says so in a word, which needs no explanation. */
export function fieldLabel({ id, label, required }: Field): Html {
  return html`<label for="${id}">${label}${required === true && requiredMark}</label>`
}

/** Hidden from screen readers, which say the same of the attribute `required`. */
const requiredMark = html` <span class="required" aria-hidden="true">(required)</span>`

/** @param control builds the element with its attributes */
function labelled(field: Field, control: (attributes: Html) => Html, kind = ''): Html {
  const { id, name = id, hint, required, formErrors = [] } = field
  const wrong = formErrors.find((formError) => formError.field === id)
  const described = [hint !== undefined && `${id}-hint`, wrong && `${id}-wrong`]
    .filter(Boolean)
    .join(' ')
  return html`<div class="field ${kind}">
${fieldLabel(field)}
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${wrong && html`<p class="wrong" id="${id}-wrong">${wrong.text}</p>`}
${control(html`id="${id}" name="${name}"${described !== '' && html` aria-describedby="${described}"`}${wrong && html` aria-invalid="true"`}${required === true && html` required`}`)}
</div>`
}
