import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import {
  type CallerRow,
  callerColumns,
  type TwoFactorStateRow,
  twoFactorStateColumns,
} from '../users/user-row.ts'

export interface NewSession {
  /** Hash of the cookie. */
  id: string
  userId: number
  csrfToken: string
  /** Milliseconds since the epoch. */
  createdAt: number
  expiresAt: number
  remember: 0 | 1
}

export async function insertSession(tx: Transaction, session: NewSession): Promise<void> {
  await tx.run('sessions.insert', session, (db, $) =>
    db.insertInto('sessions').values({
      id: $('id'),
      userId: $('userId'),
      csrfToken: $('csrfToken'),
      createdAt: $('createdAt'),
      expiresAt: $('expiresAt'),
      remember: $('remember'),
    }),
  )
}

/** A session with the user who signed in. */
export type SessionOwnerRow = CallerRow &
  TwoFactorStateRow & {
    csrfToken: string
    expiresAt: number
    remember: 0 | 1
  }

/** A session by the hash of its cookie, expired ones included. */
export function findSessionOwner(q: Queries, id: string): Promise<SessionOwnerRow | undefined> {
  return q.first('sessions.owner', { id }, (db, $) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.userId')
      .select([...callerColumns, ...twoFactorStateColumns])
      .select(['sessions.csrfToken', 'sessions.expiresAt', 'sessions.remember'])
      .where('sessions.id', '=', $('id'))
      .where('users.kind', '=', 'human'),
  )
}

export async function deleteSession(q: Queries, id: string): Promise<void> {
  await q.run('sessions.delete', { id }, (db, $) =>
    db.deleteFrom('sessions').where('id', '=', $('id')),
  )
}

/** Deletes all sessions of a user. */
export async function deleteSessionsOf(tx: Transaction, userId: number): Promise<void> {
  await tx.run('sessions.delete.user', { userId }, (db, $) =>
    db.deleteFrom('sessions').where('userId', '=', $('userId')),
  )
}

/** Deletes the sessions that expired before `now`, in milliseconds. */
export async function deleteEndedSessions(tx: Transaction, now: number): Promise<void> {
  await tx.run('sessions.delete.ended', { now }, (db, $) =>
    db.deleteFrom('sessions').where('expiresAt', '<=', $('now')),
  )
}
