import type { TokenScope } from '@stithy/core'
import { type FormError, type Html, html } from '@stithy/web'
import type { CallerUser } from '../../platform/http/caller.ts'

/** What each scope of a token allows. */
export const scopeTexts: Readonly<Record<TokenScope, string>> = {
  api: 'full access to the API and to Git',
  read_user: 'reading your account, users and events',
  sudo: 'acting as any other user',
  read_repository: 'Git: clone and fetch',
  write_repository: 'Git: clone, fetch and push',
}

/** Only administrators may use `sudo`, so other users are not offered that scope. */
export function offeredScopes<Scope extends string>(
  { admin }: CallerUser,
  scopes: readonly Scope[],
): Scope[] {
  return scopes.filter((scope) => scope !== 'sudo' || admin)
}

/** Replaces scopes that were not offered with an invalid one, which is then rejected. */
export function onlyOffered(offered: readonly string[], scopes: readonly string[]): string[] {
  return scopes.map((scope) => (offered.includes(scope) ? scope : '?'))
}

export interface ScopeChoices<Scope extends string> {
  /** The start of the ids: `token` for `token_scope_api`, the field that errors are about. */
  prefix: string
  /** The name of each field. */
  name: string
  legend: string
  offered: readonly Scope[]
  /** What each scope allows. */
  texts: Readonly<Record<Scope, string>>
  ticked: readonly string[]
  formErrors: readonly FormError[]
}

/** A checkbox for each scope. */
export function scopeChoices<Scope extends string>({
  prefix,
  name,
  legend,
  offered,
  texts,
  ticked,
  formErrors,
}: ScopeChoices<Scope>): Html {
  const wrong = formErrors.find(({ field }) => field === `${prefix}_scope_api`)
  const choices = offered.map((scope) => {
    const id = `${prefix}_scope_${scope}`
    return html`<div class="choice">
<input id="${id}" name="${name}" type="checkbox" value="${scope}" ${ticked.includes(scope) && html`checked`}>
<label for="${id}"><code>${scope}</code>: ${texts[scope]}</label>
</div>`
  })
  return html`<fieldset ${wrong && html`aria-describedby="${prefix}_scopes-wrong"`}>
<legend>${legend}</legend>
${wrong && html`<p class="wrong" id="${prefix}_scopes-wrong">${wrong.text}</p>`}
${choices}
</fieldset>`
}
