import { DomainError, type EndpointSpec, hasScope, type TokenScope } from '@stithy/core'
import type { Caller } from './call.ts'

/**
 * Compiles an endpoint's check of credentials. The result throws DomainError `unauthorized`,
 * `insufficient_scope`.
 */
export function compileCredentialCheck({ auth }: EndpointSpec): (caller: Caller) => void {
  if (auth === 'public') return () => {}
  const open = !requiresToken({ auth })
  const accepted = acceptedScopes(auth === 'optional' ? undefined : auth.scope)
  return (caller) => {
    if (caller.user === null) {
      if (!open) throw new DomainError('unauthorized')
    } else if (!hasScope(caller.scopes, accepted)) {
      throw new DomainError('insufficient_scope', { scopes: accepted })
    }
  }
}

/** Whether nobody without a token may call an endpoint. */
export function requiresToken({ auth }: Pick<EndpointSpec, 'auth'>): boolean {
  return auth !== 'public' && auth !== 'optional' && auth.anonymous !== true
}

function acceptedScopes(scope: TokenScope | readonly TokenScope[] | undefined): TokenScope[] {
  const extra = scope === undefined ? [] : typeof scope === 'string' ? [scope] : scope
  return [...new Set<TokenScope>(['api', ...extra])]
}
