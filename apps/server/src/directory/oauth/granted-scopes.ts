import { allowedScopes, type OAuthScope, requestedScopes } from '@stithy/core'
import { fromJsonText } from '@stithy/store'
import type { CallerUser } from '../../platform/http/caller.ts'
import type { Client } from './client-authentication.ts'
import { invalidScope } from './oauth-error.ts'
import type { Parameters } from './request-parameters.ts'

/**
 * The scopes that a request names, as far as its client may ask for them.
 * @throws OAuthError `invalid_scope`
 */
export function requestedOf(
  client: Client | undefined,
  parameters: Parameters,
): readonly OAuthScope[] {
  const registered = client === undefined ? [] : fromJsonText<OAuthScope[]>(client.scopes)
  const scopes = requestedScopes(parameters('scope') ?? '', allowedScopes(registered))
  if (scopes === undefined) throw invalidScope()
  return scopes
}

/**
 * The scopes that a user can grant: only administrators may use `sudo`.
 * @throws OAuthError `invalid_scope` if there is none
 */
export function scopesFor(
  { admin }: CallerUser,
  scopes: readonly OAuthScope[],
): readonly OAuthScope[] {
  const granted = scopes.filter((scope) => admin || scope !== 'sudo')
  if (granted.length === 0) throw invalidScope()
  return granted
}
