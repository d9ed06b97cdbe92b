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
  /** When the user first signed in without the two-factor authentication that is required. */
  twoFactorGraceStartedAt: number | null
  /** When the terms that the user accepted last were written. */
  acceptedTermsVersion: number | null
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

/** How a user sees diffs; users who set nothing have no row. */
export interface UserPreferencesTable {
  userId: number
  viewDiffsFileByFile: Flag
  showWhitespaceInDiffs: Flag
}

/** Personal, impersonation and OAuth tokens; only their hash is stored. */
export interface TokensTable {
  id: Generated<number>
  /** Null for an OAuth token of an application that acts on its own behalf. */
  userId: number | null
  /** The grant of an OAuth token. */
  oauthGrantId: number | null
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

/**
 * The authenticator app of a user; from the confirmation on, signing in needs a code
 * (`twoFactorEnabled`).
 */
export interface TwoFactorsTable {
  userId: number
  /** Base32. Codes are computed from it, so it is stored in plain text; returned only once. */
  secret: string
  /** Null until a first code has proved that the app has the secret. */
  confirmedAt: number | null
  /** Number of the 30 seconds since the epoch whose code was used last: no code is used twice. */
  lastUsedStep: Generated<number>
  /** Wrong codes in a row, and when the last one was sent. */
  failedAttempts: Generated<number>
  lastAttemptAt: Generated<number>
  createdAt: number
}

/** Codes that replace one of the authenticator app; each is deleted when it is used. */
export interface RecoveryCodesTable {
  userId: number
  codeHash: string
}

/** Browsers that sent the right password, and have yet to send a code. */
export interface PendingSignInsTable {
  /** Hash of the cookie. */
  id: string
  userId: number
  remember: Generated<Flag>
  createdAt: number
  expiresAt: number
}
