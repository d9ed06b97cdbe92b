import { notFound, tokenErrors, validationFailed } from '@stithy/core'
import { findToken, insertToken, revokeToken, type TokenKind, type TokenRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { hashSecret, newSecret } from '../authentication/secret.ts'

export interface TokenRequest {
  userId: number
  name: string
  scopes: readonly string[]
  /** `YYYY-MM-DD`: the day from which the token is expired; null for never. */
  expiresOn: string | null
  kind: TokenKind
  /** Id of the creator, if it is not the token's user. */
  createdById?: number
}

/** A new token; `token` is its plain text, which is not stored. */
export type CreatedToken = TokenRow & { token: string }

/** Creates a token, of which only a hash is stored. @throws DomainError `validation_failed`. */
export async function createToken(app: App, request: TokenRequest): Promise<CreatedToken> {
  const now = app.now()
  const errors = tokenErrors(request, now)
  if (errors !== undefined) throw validationFailed(errors)
  const token = newSecret()
  const row = await app.db.transaction(async (tx) => {
    const row = await insertToken(tx, {
      userId: request.userId,
      kind: request.kind,
      name: request.name,
      scopes: [...new Set(request.scopes)],
      expiresOn: request.expiresOn,
      createdById: request.createdById ?? null,
      createdAt: now,
      tokenHash: hashSecret(token),
    })
    await recordChange(tx, {
      kind: 'token.created',
      ...changeByCaller(now),
      ...changeOf(request.userId, row),
    })
    return row
  })
  return { ...row, token }
}

/** Revokes a token of a user. @throws DomainError `not_found`. */
export async function revokeUserToken(
  app: App,
  token: { userId: number; kind: TokenKind; id: number },
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const row = await findToken(tx, token)
    if (row === undefined || !(await revokeToken(tx, token))) throw tokenNotFound(token.kind)
    const by = changeByCaller(app.now())
    await recordChange(tx, { kind: 'token.revoked', ...by, ...changeOf(token.userId, row) })
  })
}

function changeOf(ownerId: number, { id: tokenId, name, kind: tokenKind }: TokenRow) {
  return { tokenId, ownerId, name, tokenKind }
}

function tokenNotFound(kind: TokenKind) {
  return notFound(kind === 'impersonation' ? 'Impersonation Token' : 'Personal Access Token')
}
