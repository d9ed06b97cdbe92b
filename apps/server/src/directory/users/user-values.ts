import {
  type BodyOf,
  type FieldErrors,
  userErrors,
  type userProfileContract,
  type usersContract,
} from '@stithy/core'
import { toFlag, type UserChanges } from '@stithy/store'
import { avatarErrors } from '../../platform/uploads/avatar-files.ts'

/** Parameters of a user, for creation and update. */
export type UserBody = BodyOf<typeof usersContract.update> &
  Pick<BodyOf<typeof userProfileContract.update>, 'theme_id'>

/** Validates the values; returns errors by field, or undefined. */
export async function valueErrors(body: UserBody): Promise<FieldErrors | undefined> {
  const { avatar } = body
  const wrong = avatar === undefined ? undefined : await avatarErrors(avatar)
  const errors = { ...userErrors(body), ...wrong }
  return Object.keys(errors).length === 0 ? undefined : errors
}

/** The identity at another provider; undefined unless both parameters are sent. */
export function identityOf(
  named: Pick<UserBody, 'provider' | 'extern_uid'>,
): { provider: string; externUid: string } | undefined {
  const { provider = '', extern_uid: externUid = '' } = named
  return provider === '' || externUid === '' ? undefined : { provider, externUid }
}

/** Maps values to columns, except password, avatar and identity. */
export function columnsOf(body: UserBody): UserChanges {
  return {
    email: body.email,
    username: body.username,
    name: body.name,
    skype: body.skype,
    linkedin: body.linkedin,
    twitter: body.twitter,
    websiteUrl: body.website_url,
    organization: body.organization,
    bio: body.bio,
    location: body.location,
    publicEmail: body.public_email,
    note: body.note,
    themeId: body.theme_id,
    projectsLimit: body.projects_limit,
    admin: flag(body.admin),
    canCreateGroup: flag(body.can_create_group),
    external: flag(body.external),
    privateProfile: flag(body.private_profile),
    sharedRunnersMinutesLimit: body.shared_runners_minutes_limit,
    extraSharedRunnersMinutesLimit: body.extra_shared_runners_minutes_limit,
  }
}

function flag(value: boolean | undefined): 0 | 1 | undefined {
  return value === undefined ? undefined : toFlag(value)
}
