import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { type CallerRow, callerColumns } from '../users/user-row.ts'

export interface NewPendingSignIn {
  /** Hash of the cookie. */
  id: string
  userId: number
  remember: 0 | 1
  /** Milliseconds since the epoch. */
  createdAt: number
  expiresAt: number
}

/** Inserts a sign-in that lacks its second factor, and deletes those that have expired. */
export async function insertPendingSignIn(
  tx: Transaction,
  pending: NewPendingSignIn,
): Promise<void> {
  await deleteExpiredPendingSignIns(tx, pending.createdAt)
  await tx.run('pending-sign-ins.insert', pending, (db, $) =>
    db.insertInto('pendingSignIns').values({
      id: $('id'),
      userId: $('userId'),
      remember: $('remember'),
      createdAt: $('createdAt'),
      expiresAt: $('expiresAt'),
    }),
  )
}

/** A sign-in that lacks its second factor, with its user. */
export type PendingSignInRow = CallerRow & { expiresAt: number; remember: 0 | 1 }

/** A pending sign-in by the hash of its cookie, expired ones included. */
export function findPendingSignIn(q: Queries, id: string): Promise<PendingSignInRow | undefined> {
  return q.first('pending-sign-ins.find', { id }, (db, $) =>
    db
      .selectFrom('pendingSignIns')
      .innerJoin('users', 'users.id', 'pendingSignIns.userId')
      .select(callerColumns)
      .select(['pendingSignIns.expiresAt', 'pendingSignIns.remember'])
      .where('pendingSignIns.id', '=', $('id'))
      .where('users.kind', '=', 'human'),
  )
}

/** Deletes a pending sign-in; false if it is gone. */
export async function deletePendingSignIn(q: Queries, id: string): Promise<boolean> {
  const { changes } = await q.run('pending-sign-ins.delete', { id }, (db, $) =>
    db.deleteFrom('pendingSignIns').where('id', '=', $('id')),
  )
  return changes > 0
}

/** Deletes the pending sign-ins of a user. */
export async function deletePendingSignInsOf(tx: Transaction, userId: number): Promise<void> {
  await tx.run('pending-sign-ins.delete.user', { userId }, (db, $) =>
    db.deleteFrom('pendingSignIns').where('userId', '=', $('userId')),
  )
}

/** Deletes the pending sign-ins that expired before `now`, in milliseconds. */
export async function deleteExpiredPendingSignIns(tx: Transaction, now: number): Promise<void> {
  await tx.run('pending-sign-ins.delete.expired', { now }, (db, $) =>
    db.deleteFrom('pendingSignIns').where('expiresAt', '<=', $('now')),
  )
}
