import {
  deletePendingSignIn,
  findPendingSignIn,
  insertPendingSignIn,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import { callerUser } from './caller-user.ts'
import { hashSecret, newSecret } from './secret.ts'

/** How long a browser that sent the right password may take to send a code, in milliseconds. */
export const pendingSignInLifetimeMs = 5 * 60_000

/** A sign-in with the right password that lacks its code. */
export interface PendingSignIn {
  user: CallerUser
  isBlocked: boolean
  remember: boolean
}

/**
 * Starts the second step of a sign-in. Returns the value of a cookie, of which only a hash is
 * stored: the second step works in this browser only.
 */
export async function startPendingSignIn(
  app: App,
  { userId, remember }: { userId: number; remember: boolean },
): Promise<string> {
  const cookie = newSecret()
  const createdAt = app.now()
  await app.db.transaction((tx) =>
    insertPendingSignIn(tx, {
      id: hashSecret(cookie),
      userId,
      remember: remember ? 1 : 0,
      createdAt,
      expiresAt: createdAt + pendingSignInLifetimeMs,
    }),
  )
  return cookie
}

/** Finds the pending sign-in of a cookie; undefined if there is none, or it has expired. */
export async function findPending(app: App, cookie: string): Promise<PendingSignIn | undefined> {
  const row = await findPendingSignIn(app.db, hashSecret(cookie))
  if (row === undefined || row.expiresAt <= app.now()) return undefined
  return {
    user: callerUser(row),
    isBlocked: row.state === 'blocked',
    remember: row.remember === 1,
  }
}

/** Ends a pending sign-in; false if it has ended meanwhile, so that it opens one session only. */
export function endPending(tx: Transaction, cookie: string): Promise<boolean> {
  return deletePendingSignIn(tx, hashSecret(cookie))
}
