/** The error codes of RFC 6749 (sections 4.1.2.1 and 5.2), RFC 6750 and RFC 7009. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'insufficient_scope'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_token'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** An error in the shape that OAuth2 clients know: a code, and a sentence for their developers. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode

  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.code = code
  }
}

/** The client is unknown or its secret is wrong. */
export function invalidClient(): OAuthError {
  return new OAuthError('invalid_client', 'Client authentication failed.')
}

/** What was presented for a token is unknown, expired, used, or another client's. */
export function invalidGrant(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The authorization grant is invalid, expired, revoked or was issued to another client.',
  )
}

/** An access token is unknown, expired or revoked. */
export function invalidToken(): OAuthError {
  return new OAuthError('invalid_token', 'The access token is invalid, expired or was revoked.')
}

/** A parameter is malformed, missing or repeated. */
export function invalidRequest(description: string): OAuthError {
  return new OAuthError('invalid_request', description)
}

/** The scope is unknown, or more than the client may ask for. */
export function invalidScope(): OAuthError {
  return new OAuthError('invalid_scope', 'The requested scope is unknown or not allowed.')
}
