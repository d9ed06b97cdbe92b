import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** Clients of the OAuth2 provider (RFC 6749, section 2). */
export interface OauthApplicationsTable {
  id: Generated<number>
  /** The user who has registered it; null for those of the instance. */
  ownerId: number | null
  /** The `client_id`. */
  uid: string
  /** Hash of the `client_secret`. */
  secretHash: string
  name: string
  /** JSON array. */
  redirectUris: string
  /** JSON array; empty for an application that may ask for any scope but `sudo`. */
  scopes: string
  confidential: Flag
  trusted: Flag
  createdAt: number
  /** Set while the background deletion is running: no query finds such an application. */
  deletedAt: number | null
}

/**
 * What one sign-in or consent gave an application: a family of tokens, which are revoked together.
 */
export interface OauthGrantsTable {
  id: Generated<number>
  /** Null for a password that was sent without an application. */
  applicationId: number | null
  /** Null for an application that acts on its own behalf. */
  userId: number | null
  /** JSON array. */
  scopes: string
  createdAt: number
  /** When the last of its codes and tokens expires. */
  expiresAt: number
  revokedAt: number | null
}

/** Authorization codes (RFC 6749, section 4.1); only their hash is stored. */
export interface OauthCodesTable {
  codeHash: string
  grantId: number
  /** As in the request; null if that had none. */
  redirectUri: string | null
  /** `code_challenge` (RFC 7636). */
  challenge: string | null
  challengeMethod: 'S256' | 'plain' | null
  expiresAt: number
  usedAt: number | null
}

/** Refresh tokens (RFC 6749, section 1.5); only their hash is stored. */
export interface OauthRefreshTokensTable {
  tokenHash: string
  grantId: number
  createdAt: number
  expiresAt: number
  usedAt: number | null
}
