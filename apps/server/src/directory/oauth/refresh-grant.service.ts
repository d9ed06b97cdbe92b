import { requestedScopes } from '@stithy/core'
import {
  findRefreshToken,
  fromJsonText,
  type RefreshTokenRow,
  revokeAccessTokens,
  revokeGrant,
  useRefreshToken,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { hashSecret } from '../authentication/secret.ts'
import type { Client } from './client-authentication.ts'
import { invalidGrant, invalidScope } from './oauth-error.ts'
import { issueTokens, type TokenAnswer } from './token-issue.service.ts'

/**
 * Exchanges a refresh token for new tokens, once; the access tokens from before are revoked, and
 * with a used refresh token all of its grant (RFC 9700, section 4.14).
 * @throws OAuthError `invalid_grant`, `invalid_scope`
 */
export async function refreshTokens(
  app: App,
  client: Client | undefined,
  { token, scope }: { token: string; scope: string | undefined },
): Promise<TokenAnswer> {
  const tokenHash = hashSecret(token)
  const row = await findRefreshToken(app.db, tokenHash)
  const now = app.now()
  if (row === undefined || row.applicationId !== (client?.id ?? null)) throw invalidGrant()
  if (row.usedAt === null && !isUsable(row, now)) throw invalidGrant()
  const scopes = scopesOf(row, scope)
  const { grantId, userId } = row
  const answer = await app.db.transaction(async (tx) => {
    if (!(await useRefreshToken(tx, { tokenHash, now }))) {
      await revokeGrant(tx, { id: grantId, now })
      return undefined
    }
    await revokeAccessTokens(tx, grantId)
    const name = client?.name ?? ''
    return issueTokens(tx, { grantId, userId, name, scopes, refresh: true, now })
  })
  if (answer === undefined) throw invalidGrant()
  return answer
}

/** Whether a refresh token that was not used yet may be. `now` in milliseconds. */
export function isUsable(
  { expiresAt, revokedAt, userState }: RefreshTokenRow,
  now: number,
): boolean {
  return expiresAt > now && revokedAt === null && userState === 'active'
}

/** The scopes of the new access token: those of the grant, or fewer. */
function scopesOf({ scopes: text }: RefreshTokenRow, scope: string | undefined): readonly string[] {
  const granted = fromJsonText<Parameters<typeof requestedScopes>[1]>(text)
  if (scope === undefined) return granted
  const scopes = requestedScopes(scope, granted)
  if (scopes === undefined) throw invalidScope()
  return scopes
}
