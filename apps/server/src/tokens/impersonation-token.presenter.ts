import { type ImpersonationToken, isTokenActive } from '@stithy/core'
import { fromJsonText, type TokenRow } from '@stithy/store'
import { instantText } from '../http/instant.ts'

/** The wire shape of an impersonation token; `now` in milliseconds decides whether it is active. */
export function presentImpersonationToken(row: TokenRow, now: number): ImpersonationToken {
  const revoked = row.revoked === 1
  return {
    id: row.id,
    name: row.name,
    revoked,
    active: isTokenActive({ revoked, expiresAt: row.expiresAt }, now),
    created_at: instantText(row.createdAt),
    scopes: fromJsonText<ImpersonationToken['scopes']>(row.scopes),
    expires_at: row.expiresOn,
    impersonation: true,
  }
}
