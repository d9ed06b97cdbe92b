import { type ImpersonationToken, isTokenActive } from '@stithy/core'
import { fromJsonText, type TokenRow } from '@stithy/store'
import { timestampText } from '../../platform/http/timestamp.ts'

/**
 * Builds the shape of an impersonation token; `now` in milliseconds decides whether it is active.
 */
export function presentImpersonationToken(row: TokenRow, now: number): ImpersonationToken {
  const revoked = row.revoked === 1
  return {
    id: row.id,
    name: row.name,
    revoked,
    active: isTokenActive({ revoked, expiresAt: row.expiresAt }, now),
    created_at: timestampText(row.createdAt),
    scopes: fromJsonText<ImpersonationToken['scopes']>(row.scopes),
    expires_at: row.expiresOn,
    impersonation: true,
  }
}
