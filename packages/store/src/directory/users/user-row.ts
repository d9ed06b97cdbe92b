import { expressionBuilder, sql } from 'kysely'
import type { Row, Schema } from '../../platform/schema/schema.ts'

/** A user as embedded in other resources. */
export type UserRefRow = Pick<Row<'users'>, 'id' | 'username' | 'name' | 'state' | 'avatar'>

/** A user with everything but the password. */
export type UserRow = Omit<Row<'users'>, 'passwordHash'>

/** Columns of a `UserRefRow`. */
export const userRefColumns = [
  'users.id',
  'users.username',
  'users.name',
  'users.state',
  'users.avatar',
] as const

/** Columns of a `UserRow`. */
export const userColumns = [
  ...userRefColumns,
  'users.kind',
  'users.usernameLower',
  'users.nameLower',
  'users.email',
  'users.emailLower',
  'users.admin',
  'users.external',
  'users.mustChangePassword',
  'users.bio',
  'users.location',
  'users.publicEmail',
  'users.skype',
  'users.linkedin',
  'users.twitter',
  'users.websiteUrl',
  'users.organization',
  'users.projectsLimit',
  'users.canCreateGroup',
  'users.privateProfile',
  'users.themeId',
  'users.colorSchemeId',
  'users.twoFactorEnabled',
  'users.twoFactorGraceStartedAt',
  'users.acceptedTermsVersion',
  'users.sharedRunnersMinutesLimit',
  'users.extraSharedRunnersMinutesLimit',
  'users.note',
  'users.createdAt',
  'users.updatedAt',
  'users.confirmedAt',
  'users.lastSignInAt',
  'users.currentSignInAt',
  'users.lastActivityOn',
] as const

/** The columns of the requesting user that a request needs. */
export type CallerRow = Pick<
  Row<'users'>,
  | 'id'
  | 'username'
  | 'name'
  | 'email'
  | 'state'
  | 'admin'
  | 'external'
  | 'canCreateGroup'
  | 'projectsLimit'
  | 'mustChangePassword'
  | 'acceptedTermsVersion'
  | 'themeId'
>

/** Columns of a `CallerRow`. */
export const callerColumns = [
  'users.id',
  'users.username',
  'users.name',
  'users.email',
  'users.state',
  'users.admin',
  'users.external',
  'users.canCreateGroup',
  'users.projectsLimit',
  'users.mustChangePassword',
  'users.acceptedTermsVersion',
  'users.themeId',
] as const

/** Whether a user signs in with a code, and since when one that they lack is required. */
export type TwoFactorStateRow = Pick<
  Row<'users'>,
  'twoFactorEnabled' | 'twoFactorGraceStartedAt'
> & {
  /** Whether the settings or a group require it of anyone; of whom takes longer to find out. */
  twoFactorIsRequired: 0 | 1
}

const eb = expressionBuilder<Schema, never>()

const requiredBySettings = eb.exists(
  eb
    .selectFrom('settings')
    .where('settings.key', '=', 'require_two_factor_authentication')
    .where('settings.value', '=', 'true')
    .select('settings.key'),
)

const requiredByGroup = eb.exists(
  eb
    .selectFrom('namespaces as requiring')
    .where('requiring.requireTwoFactorAuthentication', '=', 1)
    .select('requiring.id'),
)

/** Columns of a `TwoFactorStateRow`. */
export const twoFactorStateColumns = [
  'users.twoFactorEnabled',
  'users.twoFactorGraceStartedAt',
  sql<0 | 1>`case when ${requiredBySettings} or ${requiredByGroup} then 1 else 0 end`.as(
    'twoFactorIsRequired',
  ),
] as const
