import { notFound, tokenErrors, validationFailed } from '@stithy/core'
import { insertToken, revokeToken, type TokenKind, type TokenRow } from '@stithy/store'
import type { App } from '../app.ts'
import { hashSecret, newSecret } from '../authentication/secret.ts'

export interface TokenRequest {
  userId: number
  name: string
  scopes: readonly string[]
  /** `YYYY-MM-DD`: the day from which the token is of no use; null for never. */
  expiresOn: string | null
  kind: TokenKind
  /** Who makes it, where it is not its user. */
  createdById?: number
}

/** A new token; `token` is the only place where it stands in clear. */
export type CreatedToken = TokenRow & { token: string }

/** Makes a token, of which only a hash is kept. @throws DomainError `validation_failed`. */
export async function createToken(app: App, request: TokenRequest): Promise<CreatedToken> {
  const now = app.now()
  const errors = tokenErrors(request, now)
  if (errors !== undefined) throw validationFailed(errors)
  const token = newSecret()
  const row = await app.db.transaction((tx) =>
    insertToken(tx, {
      userId: request.userId,
      kind: request.kind,
      name: request.name,
      scopes: [...new Set(request.scopes)],
      expiresOn: request.expiresOn,
      createdById: request.createdById ?? null,
      createdAt: now,
      tokenHash: hashSecret(token),
    }),
  )
  return { ...row, token }
}

/** Ends a token of a user for good. @throws DomainError `not_found`. */
export async function endToken(
  app: App,
  token: { userId: number; kind: TokenKind; id: number },
): Promise<void> {
  if (await revokeToken(app.db, token)) return
  throw notFound(token.kind === 'impersonation' ? 'Impersonation Token' : 'Personal Access Token')
}
