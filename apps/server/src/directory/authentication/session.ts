import {
  deleteEndedSessions,
  deletePendingSignInsOf,
  deleteSession,
  deleteSessionsOf,
  findSessionOwner,
  insertSession,
  revokePasswordGrants,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import { callerUser } from './caller-user.ts'
import { hashSecret, newSecret } from './secret.ts'
import { lacksTerms } from './terms.ts'
import { findTwoFactorRequirement } from './two-factor-requirement.ts'

/** How long a session lasts until the browser closes, at most, in minutes. */
const longestMinutes = 10_080

/**
 * How long a session lasts, in milliseconds: `session_expire_delay` of the application settings, of
 * which 0 means until the browser closes.
 */
export function sessionLifetimeMs({ settings }: App): number {
  return (settings.session_expire_delay || longestMinutes) * 60_000
}

export interface Session {
  user: CallerUser
  csrfToken: string
  remember: boolean
  /** The user must set up two-factor authentication before anything else. */
  isTwoFactorOverdue: boolean
  /** The user must accept the terms of service before that. */
  lacksTerms: boolean
}

/** Creates a session under a new id; returns the cookie's value, of which only a hash is stored. */
export async function startSession(
  app: App,
  tx: Transaction,
  { userId, remember, now }: { userId: number; remember: boolean; now: number },
): Promise<string> {
  const cookie = newSecret()
  await deleteEndedSessions(tx, now)
  await insertSession(tx, {
    id: hashSecret(cookie),
    userId,
    csrfToken: newSecret(),
    createdAt: now,
    expiresAt: now + sessionLifetimeMs(app),
    remember: remember ? 1 : 0,
  })
  return cookie
}

/** Ends all sessions of a user, and sign-ins that lack their code. */
export async function endSessionsOf(tx: Transaction, userId: number): Promise<void> {
  await deleteSessionsOf(tx, userId)
  await deletePendingSignInsOf(tx, userId)
}

/**
 * Ends what a password has opened, when it is changed: sessions, and tokens that it was exchanged
 * for without an application, which the user could not find and revoke.
 */
export async function endPasswordAccess(
  tx: Transaction,
  { userId, now }: { userId: number; now: number },
): Promise<void> {
  await endSessionsOf(tx, userId)
  await revokePasswordGrants(tx, { userId, now })
}

/** Finds the active session of a cookie; undefined for a blocked user. */
export async function findSession(app: App, cookie: string): Promise<Session | undefined> {
  const row = await findSessionOwner(app.db, hashSecret(cookie))
  if (row === undefined || row.expiresAt <= app.now() || row.state === 'blocked') return undefined
  const requirement = await findTwoFactorRequirement(app, row)
  const user = callerUser(row)
  return {
    user,
    csrfToken: row.csrfToken,
    remember: row.remember === 1,
    isTwoFactorOverdue: requirement?.isOverdue === true,
    lacksTerms: lacksTerms(app, user),
  }
}

export async function endSession(app: App, cookie: string): Promise<void> {
  await deleteSession(app.db, hashSecret(cookie))
}
