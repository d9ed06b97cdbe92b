import type { AdminUser, CurrentUser, UserProfile, UserRef } from '@stithy/core'
import type { IdentityRow, UserRefRow, UserRow } from '@stithy/store'
import { type Config, tierAllows } from '../../platform/config/config.ts'
import { timestampOrNull, timestampText } from '../../platform/http/timestamp.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { avatarUrl } from '../../platform/uploads/avatar-url.ts'

/** A user with everything that the full shapes contain. */
export interface UserView {
  row: UserRow
  /** Number of projects in the personal namespace. */
  personalProjects: number
  identities: readonly IdentityRow[]
  /** Set when requested. */
  customAttributes?: readonly { key: string; value: string }[] | undefined
}

/** Builds the short shape of a user, as nested in other resources. */
export function presentUserRef(config: Config, row: UserRefRow): UserRef {
  return {
    id: row.id,
    name: row.name,
    username: row.username,
    state: row.state,
    avatar_url: avatarUrl(config, 'user', row.id, row.avatar),
    web_url: webUrl(config, row.username),
  }
}

/** Builds a user's shape for other users; `created_at` of a private profile is omitted. */
export function presentProfile(
  config: Config,
  row: UserRow,
  { isSelf }: { isSelf: boolean },
): UserProfile {
  const hidden = row.privateProfile === 1 && !isSelf
  return {
    ...presentUserRef(config, row),
    ...(hidden ? {} : { created_at: timestampText(row.createdAt) }),
    ...presentAbout(row),
  }
}

/** Builds a user's own shape. */
export function presentCurrentUser(config: Config, view: UserView): CurrentUser {
  const { row, identities, personalProjects } = view
  const isInternalUser = row.external === 0
  return {
    ...presentUserRef(config, row),
    created_at: timestampText(row.createdAt),
    ...presentAbout(row),
    last_sign_in_at: timestampOrNull(row.lastSignInAt),
    confirmed_at: timestampOrNull(row.confirmedAt),
    last_activity_on: row.lastActivityOn,
    email: row.email,
    theme_id: row.themeId,
    color_scheme_id: row.colorSchemeId,
    projects_limit: row.projectsLimit,
    current_sign_in_at: timestampOrNull(row.currentSignInAt),
    identities: identities.map(({ provider, externUid }) => ({ provider, extern_uid: externUid })),
    can_create_group: isInternalUser && row.canCreateGroup === 1,
    can_create_project: isInternalUser && row.projectsLimit > personalProjects,
    two_factor_enabled: row.twoFactorEnabled === 1,
    external: row.external === 1,
    private_profile: row.privateProfile === 1,
  }
}

/** Builds a user's shape for administrators. */
export function presentAdminUser(config: Config, view: UserView): AdminUser {
  const { row, customAttributes } = view
  return {
    ...presentCurrentUser(config, view),
    is_admin: row.admin === 1,
    ...(tierAllows(config.tier, 'premium')
      ? {
          note: row.note,
          shared_runners_minutes_limit: row.sharedRunnersMinutesLimit,
          extra_shared_runners_minutes_limit: row.extraSharedRunnersMinutesLimit,
        }
      : {}),
    ...(customAttributes === undefined
      ? {}
      : { custom_attributes: customAttributes.map(({ key, value }) => ({ key, value })) }),
  }
}

function presentAbout(row: UserRow) {
  return {
    bio: row.bio,
    location: row.location,
    public_email: row.publicEmail,
    skype: row.skype,
    linkedin: row.linkedin,
    twitter: row.twitter,
    website_url: row.websiteUrl,
    organization: row.organization ?? '',
  }
}
