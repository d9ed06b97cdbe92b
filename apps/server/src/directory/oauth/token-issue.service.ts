import {
  extendGrant,
  insertAccessToken,
  insertGrant,
  insertRefreshToken,
  type Transaction,
} from '@stithy/store'
import { hashSecret, newSecret } from '../authentication/secret.ts'

/** How long an access token is valid, in milliseconds: two hours. */
export const accessTokenMs = 7_200_000

/** How long a refresh token that is not used is valid, in milliseconds: a year. */
export const refreshTokenMs = 365 * 24 * 60 * 60_000

/** A successful answer of the token endpoint (RFC 6749, section 5.1). */
export interface TokenAnswer {
  access_token: string
  token_type: 'bearer'
  /** Seconds. */
  expires_in: number
  refresh_token?: string
  /** Separated by spaces. */
  scope: string
  /** Seconds since the epoch. */
  created_at: number
}

export interface Issue {
  grantId: number
  userId: number | null
  /** The name of the application; empty without one. */
  name: string
  scopes: readonly string[]
  /** Whether a refresh token is issued as well. */
  refresh: boolean
  /** Milliseconds since the epoch. */
  now: number
}

/** Issues an access token, and a refresh token, for a grant; only their hashes are stored. */
export async function issueTokens(tx: Transaction, issue: Issue): Promise<TokenAnswer> {
  const { grantId, userId, name, scopes, refresh, now } = issue
  const token = newSecret()
  await insertAccessToken(tx, {
    grantId,
    userId,
    name,
    tokenHash: hashSecret(token),
    scopes,
    createdAt: now,
    expiresAt: now + accessTokenMs,
  })
  const refreshToken = refresh ? await issueRefreshToken(tx, issue) : undefined
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: accessTokenMs / 1000,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    scope: scopes.join(' '),
    created_at: Math.floor(now / 1000),
  }
}

async function issueRefreshToken(tx: Transaction, { grantId, now }: Issue): Promise<string> {
  const token = newSecret()
  const expiresAt = now + refreshTokenMs
  await insertRefreshToken(tx, { tokenHash: hashSecret(token), grantId, createdAt: now, expiresAt })
  await extendGrant(tx, { id: grantId, expiresAt })
  return token
}

/** Creates a grant and issues its first tokens. */
export async function grantTokens(
  tx: Transaction,
  { applicationId, ...issue }: Omit<Issue, 'grantId'> & { applicationId: number | null },
): Promise<TokenAnswer> {
  const { userId, scopes, now } = issue
  const expiresAt = now + accessTokenMs
  const grant = { applicationId, userId, scopes, createdAt: now, expiresAt }
  return issueTokens(tx, { ...issue, grantId: await insertGrant(tx, grant) })
}
