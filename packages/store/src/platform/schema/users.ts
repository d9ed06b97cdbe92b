import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** A user, or the ghost, who becomes the author of the contributions of deleted users. */
export interface UsersTable {
  id: Generated<number>
  /** `leaving` while the background deletion is running: no query finds such a user. */
  kind: Generated<'human' | 'ghost' | 'leaving'>
  username: string
  usernameLower: string
  name: string
  nameLower: string
  email: string
  emailLower: string
  state: Generated<'active' | 'blocked'>
  admin: Generated<Flag>
  external: Generated<Flag>
  passwordHash: string | null
  mustChangePassword: Generated<Flag>
  bio: string | null
  location: string | null
  publicEmail: Generated<string>
  skype: Generated<string>
  linkedin: Generated<string>
  twitter: Generated<string>
  websiteUrl: Generated<string>
  organization: string | null
  projectsLimit: Generated<number>
  canCreateGroup: Generated<Flag>
  privateProfile: Generated<Flag>
  themeId: Generated<number>
  colorSchemeId: Generated<number>
  /** File name only; the file is in the upload store. */
  avatar: string | null
  twoFactorEnabled: Generated<Flag>
  sharedRunnersMinutesLimit: number | null
  extraSharedRunnersMinutesLimit: number | null
  note: string | null
  createdAt: number
  updatedAt: number
  confirmedAt: number | null
  lastSignInAt: number | null
  currentSignInAt: number | null
  /** Date. */
  lastActivityOn: string | null
}

/** What a user is doing; users without a status have no row. */
export interface UserStatusesTable {
  userId: number
  emoji: string
  message: string
}

/** A user's identity at an external provider. */
export interface IdentitiesTable {
  id: Generated<number>
  userId: number
  provider: string
  externUid: string
}

/** Personal, impersonation and OAuth tokens; only their hash is stored. */
export interface TokensTable {
  id: Generated<number>
  userId: number
  kind: 'personal' | 'impersonation' | 'oauth'
  name: string
  tokenHash: string
  /** JSON array of scopes. */
  scopes: string
  revoked: Generated<Flag>
  /** The displayed date. */
  expiresOn: string | null
  /** The enforced timestamp. */
  expiresAt: number | null
  createdAt: number
  createdById: number | null
}

/** Browser sessions. */
export interface SessionsTable {
  /** Hash of the cookie. */
  id: string
  userId: number
  csrfToken: string
  createdAt: number
  expiresAt: number
  remember: Generated<Flag>
}
