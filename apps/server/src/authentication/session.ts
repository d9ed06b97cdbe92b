import {
  deleteEndedSessions,
  deleteSession,
  findSessionOwner,
  insertSession,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import { type CallerUser, callerUser } from './caller.ts'
import { hashSecret, newSecret } from './secret.ts'

/** `session_expire_delay`: 10080 minutes (document 1, Limits 4). */
export const sessionLifetimeMs = 10_080 * 60_000

export interface Session {
  user: CallerUser
  csrfToken: string
  remember: boolean
}

/** Begins a session under a new id and answers the value of its cookie, which is not kept. */
export async function startSession(
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
    expiresAt: now + sessionLifetimeMs,
    remember: remember ? 1 : 0,
  })
  return cookie
}

/** The living session of a cookie; none for a blocked user. */
export async function findSession(app: App, cookie: string): Promise<Session | undefined> {
  const row = await findSessionOwner(app.db, hashSecret(cookie))
  if (row === undefined || row.expiresAt <= app.now() || row.state === 'blocked') return undefined
  return { user: callerUser(row), csrfToken: row.csrfToken, remember: row.remember === 1 }
}

export async function endSession(app: App, cookie: string): Promise<void> {
  await deleteSession(app.db, hashSecret(cookie))
}
