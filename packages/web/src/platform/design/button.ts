import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'
import { type Csrf, csrfField } from './form-fields.ts'

export const buttonStyle = css`
.button, button { display: inline-flex; gap: .4em; align-items: center; font: inherit; font-size: .875rem; font-weight: 600; line-height: 1.25rem;
  padding: .3125rem .75rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--surface); color: var(--text); cursor: pointer; white-space: nowrap; }
.button:hover, button:hover { background: var(--raised); text-decoration: none; }
.button.primary, button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.button.primary:hover, button.primary:hover { filter: brightness(1.08); }
.button.danger, button.danger { color: var(--danger); border-color: var(--danger); }
button.quiet, .button.quiet { border-color: transparent; background: transparent; color: var(--muted); padding-inline: .5rem; }
button.quiet:hover, .button.quiet:hover { color: var(--text); background: var(--raised); }
button:disabled { opacity: .55; cursor: not-allowed; }
form.inline { display: inline-flex; margin: 0; }
`

export type ButtonKind = 'primary' | 'danger' | 'quiet' | ''

/** A link that looks like a button. */
export function buttonLink(href: string, text: Html | string, kind: ButtonKind = ''): Html {
  return html`<a class="button ${kind}" href="${href}">${text}</a>`
}

interface Action {
  /** Path of the action. */
  action: string
  text: Html | string
  kind?: ButtonKind
  /** The accessible name, if the text alone doesn't say what it acts on. */
  label?: string
  /** Values that the form sends. */
  values?: Readonly<Record<string, string | number>>
}

/** A button that is a form of its own, for actions that need nothing typed. */
export function actionButton(
  call: Csrf,
  { action, text, kind = '', label, values = {} }: Action,
): Html {
  const fields = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form class="inline" method="post" action="${action}">${csrfField(call)}${fields}<button class="${kind}"${label !== undefined && html` aria-label="${label}"`}>${text}</button></form>`
}
