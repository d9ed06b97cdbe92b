import { z } from 'zod'
import { day, timestamp } from '../../platform/contract/fields.ts'
import { CustomAttribute } from '../custom-attributes/custom-attribute.schema.ts'

export const userStates = ['active', 'blocked'] as const
export type UserState = (typeof userStates)[number]

/** A user as nested in other resources; also the public shape in lists. */
export const UserRef = z.object({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  state: z.enum(userStates),
  avatar_url: z.string().nullable(),
  web_url: z.string(),
})
export type UserRef = z.output<typeof UserRef>

/** A single user, as shown to other users. */
export const UserProfile = UserRef.extend({
  /** Omitted for private profiles, except to the user themselves. */
  created_at: timestamp.optional(),
  bio: z.string().nullable(),
  location: z.string().nullable(),
  public_email: z.string(),
  skype: z.string(),
  linkedin: z.string(),
  twitter: z.string(),
  website_url: z.string(),
  organization: z.string(),
})
export type UserProfile = z.output<typeof UserProfile>

/** An identity at another provider. */
export const Identity = z.object({ provider: z.string(), extern_uid: z.string() })
export type Identity = z.output<typeof Identity>

/** A user, as shown to that user. */
export const CurrentUser = UserProfile.extend({
  created_at: timestamp,
  email: z.string(),
  last_sign_in_at: timestamp.nullable(),
  confirmed_at: timestamp.nullable(),
  theme_id: z.int(),
  last_activity_on: day.nullable(),
  color_scheme_id: z.int(),
  projects_limit: z.int(),
  current_sign_in_at: timestamp.nullable(),
  identities: z.array(Identity),
  can_create_group: z.boolean(),
  can_create_project: z.boolean(),
  two_factor_enabled: z.boolean(),
  external: z.boolean(),
  private_profile: z.boolean(),
})
export type CurrentUser = z.output<typeof CurrentUser>

/** A user, as shown to administrators. */
export const AdminUser = CurrentUser.extend({
  is_admin: z.boolean(),
  /** This and the limits are omitted in tiers that lack them. */
  note: z.string().nullable().optional(),
  shared_runners_minutes_limit: z.int().nullable().optional(),
  extra_shared_runners_minutes_limit: z.int().nullable().optional(),
  /** On request. */
  custom_attributes: z.array(CustomAttribute).optional(),
})
export type AdminUser = z.output<typeof AdminUser>

/** A single user as administrators see it. */
export const AdminUserDetails = AdminUser.extend({
  /** The highest access level among the user's memberships; 0 without any. */
  highest_role: z.int(),
})
export type AdminUserDetails = z.output<typeof AdminUserDetails>
