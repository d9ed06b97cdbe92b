import type { App } from '../../platform/app.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { avatarUrl } from '../../platform/uploads/avatar-url.ts'
import { requireUser } from '../users/user.service.ts'
import { invalidToken, OAuthError } from './oauth-error.ts'
import type { ActiveToken } from './token-inspection.service.ts'

/** What the user of a token is called (OpenID Connect Core 1.0, section 5.1). */
export interface UserInfo {
  /** Id of the user. */
  sub: string
  name?: string
  nickname?: string
  preferred_username?: string
  profile?: string
  picture?: string | null
  website?: string
  email?: string
  email_verified?: boolean
}

const profileScopes: ReadonlySet<string> = new Set(['profile', 'api', 'read_user'])
const emailScopes: ReadonlySet<string> = new Set(['email', 'api', 'read_user'])

/**
 * Describes the user of a token, as far as its scopes allow.
 * @throws OAuthError `invalid_token` for a token without a user, `insufficient_scope`
 */
export async function describeUser(app: App, { userId, scopes }: ActiveToken): Promise<UserInfo> {
  if (userId === null) throw invalidToken()
  const showsProfile = scopes.some((scope) => profileScopes.has(scope))
  const showsEmail = scopes.some((scope) => emailScopes.has(scope))
  if (!showsProfile && !showsEmail) {
    throw new OAuthError('insufficient_scope', 'One of these scopes is needed: profile email.')
  }
  const user = await requireUser(app, userId)
  const { name, username, websiteUrl, email, confirmedAt } = user
  const profile = {
    name,
    nickname: username,
    preferred_username: username,
    profile: webUrl(app.config, username),
    picture: avatarUrl(app.config, 'user', userId, user.avatar),
    website: websiteUrl,
  }
  return {
    sub: String(userId),
    ...(showsProfile ? profile : {}),
    ...(showsEmail ? { email, email_verified: confirmedAt !== null } : {}),
  }
}
