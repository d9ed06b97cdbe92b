import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'
import { actionButton } from './button.ts'
import type { Csrf } from './form-fields.ts'

export const confirmationStyle = css`
.confirm { display: inline-block; }
.confirm > summary { list-style: none; }
.confirm > summary::-webkit-details-marker { display: none; }
.confirm[open] > summary { display: none; }
.confirm > div { display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: center; }
`

interface Confirmation {
  /** Path of the action. */
  action: string
  /** What opens the question: `Delete`. */
  text: string
  /** What is asked. */
  question: string
  /** The accessible name of what opens it, if the text alone doesn't say what it acts on. */
  label?: string
  /** The button; default: the text. */
  button?: string
  /** Values that the form sends. */
  values?: Readonly<Record<string, string | number>>
  /** How what opens it looks: `quiet` within lists. */
  look?: 'danger' | 'quiet'
}

/** A button that asks before it acts: it opens the question, which has the button that acts. */
export function confirmation(
  call: Csrf,
  { action, text, question, label, button = text, values = {}, look = 'quiet' }: Confirmation,
): Html {
  const name = label === undefined ? {} : { label: `${label}: confirm` }
  return html`<details class="confirm"><summary class="button ${look}"${label !== undefined && html` aria-label="${label}"`}>${text}</summary>
<div><span>${question}</span> ${actionButton(call, { action, text: button, kind: 'danger', values, ...name })}</div></details>`
}
