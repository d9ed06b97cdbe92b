import {
  type CodeRow,
  findCode,
  fromJsonText,
  insertCode,
  insertGrant,
  revokeGrant,
  type Transaction,
  useCode,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { hashSecret, newSecret, secretsMatch } from '../authentication/secret.ts'
import type { Client } from './client-authentication.ts'
import { invalidGrant } from './oauth-error.ts'
import { type Challenge, verifies } from './pkce.ts'
import { issueTokens, type TokenAnswer } from './token-issue.service.ts'

/** How long an authorization code is valid, in milliseconds: RFC 6749, section 4.1.2. */
const codeMs = 10 * 60_000

export interface CodeRequest {
  applicationId: number
  userId: number
  scopes: readonly string[]
  /** As in the request; null if that had none. */
  redirectUri: string | null
  challenge: Challenge | undefined
}

/** Issues an authorization code, of which only a hash is stored. */
export async function issueCode(app: App, request: CodeRequest): Promise<string> {
  const { applicationId, userId, scopes, redirectUri, challenge } = request
  const now = app.now()
  const expiresAt = now + codeMs
  const code = newSecret()
  await app.db.transaction(async (tx) => {
    const grant = { applicationId, userId, scopes, createdAt: now, expiresAt }
    await insertCode(tx, {
      codeHash: hashSecret(code),
      grantId: await insertGrant(tx, grant),
      redirectUri,
      challenge: challenge?.value ?? null,
      challengeMethod: challenge?.method ?? null,
      expiresAt,
    })
  })
  return code
}

export interface CodeRedemption {
  code: string
  redirectUri: string | undefined
  verifier: string | undefined
}

/**
 * Exchanges a code for tokens, once; with a used code, what it was exchanged for is revoked (RFC
 * 6749, section 4.1.2).
 * @throws OAuthError `invalid_grant`
 */
export async function redeemCode(
  app: App,
  client: Client,
  redemption: CodeRedemption,
): Promise<TokenAnswer> {
  const codeHash = hashSecret(redemption.code)
  const row = await findCode(app.db, codeHash)
  if (row === undefined || row.applicationId !== client.id) throw invalidGrant()
  const now = app.now()
  if (row.usedAt === null && !isRedeemable(client, row, redemption, now)) throw invalidGrant()
  const answer = await app.db.transaction(async (tx) => {
    if (await useCode(tx, { codeHash, now })) return issueFor(tx, client, row, now)
    await revokeGrant(tx, { id: row.grantId, now })
    return undefined
  })
  if (answer === undefined) throw invalidGrant()
  return answer
}

function issueFor(tx: Transaction, client: Client, row: CodeRow, now: number) {
  return issueTokens(tx, {
    grantId: row.grantId,
    userId: row.userId,
    name: client.name,
    scopes: fromJsonText<string[]>(row.scopes),
    refresh: true,
    now,
  })
}

function isRedeemable(
  client: Client,
  row: CodeRow,
  { redirectUri, verifier }: CodeRedemption,
  now: number,
): boolean {
  const { expiresAt, revokedAt, userState, challenge, challengeMethod: method } = row
  if (expiresAt <= now || revokedAt !== null || userState !== 'active') return false
  if (!isSameUri(row.redirectUri, redirectUri)) return false
  // A verifier without a challenge: someone has taken the challenge out of the first request.
  if (challenge === null || method === null) {
    // Nobody would have to prove anything for a code from before the client became public.
    return verifier === undefined && client.confidential === 1
  }
  return verifier !== undefined && verifies(verifier, { value: challenge, method })
}

/** Required if it was in the first request, and identical to it (RFC 6749, section 4.1.3). */
function isSameUri(first: string | null, second: string | undefined): boolean {
  if (first === null) return second === undefined
  return second !== undefined && secretsMatch(first, second)
}
