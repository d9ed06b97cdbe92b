import {
  deleteEmail,
  deletePasswordReset,
  deletePendingEmail,
  findEmail,
  findPrimaryEmailId,
  insertEmail,
  setPrimaryEmail,
  type Transaction,
  type UserRow,
} from '@stithy/store'
import { isAbandoned, requestConfirmation } from './email-confirmation.service.ts'

/** How the address of a user is changed. */
export interface EmailChange {
  email: string
  /** Whether it must be confirmed before it replaces the current one. */
  confirm: boolean
  /** Who changes it. */
  by: number | null
  /** Milliseconds since the epoch. */
  now: number
}

/** Frees an address that was never confirmed in time, so that its owner can have it. */
export async function freeAbandonedEmail(
  tx: Transaction,
  email: string,
  now: number,
): Promise<void> {
  const row = await findEmail(tx, email)
  if (row !== undefined && isAbandoned(row, now)) await deleteEmail(tx, row.id)
}

/**
 * Changes the primary address of a user, or keeps it until the new one is confirmed; no other user
 * has the new one. A confirmed secondary address becomes the primary one immediately. Returns the
 * columns of the user that change.
 */
export async function changePrimaryEmail(
  tx: Transaction,
  user: UserRow,
  { email, confirm, by, now }: EmailChange,
): Promise<{ email?: string; confirmedAt?: number | null }> {
  const { id: userId, confirmedAt } = user
  if (email.toLowerCase() === user.emailLower) {
    await setPrimaryEmail(tx, { userId, email, confirmedAt })
    return { email }
  }
  const found = await findEmail(tx, email)
  const own = found?.userId === userId ? found : undefined
  if (own !== undefined) await deleteEmail(tx, own.id)
  await deletePendingEmail(tx, userId)
  if (confirm && (own?.confirmedAt ?? null) === null) {
    const values = { userId, kind: 'pending', email, confirmedAt: null, createdAt: now } as const
    await requestConfirmation(tx, await insertEmail(tx, values), { by, now })
    return {}
  }
  await setPrimaryEmail(tx, { userId, email, confirmedAt: now })
  // Who reads the mail of the earlier address must not choose the password.
  await deletePasswordReset(tx, userId)
  return { email, confirmedAt: now }
}

/** Asks a new user to confirm their address. */
export async function requestPrimaryConfirmation(
  tx: Transaction,
  user: { userId: number; email: string },
  { by, now }: { by: number | null; now: number },
): Promise<void> {
  const id = await findPrimaryEmailId(tx, user.userId)
  if (id !== undefined) await requestConfirmation(tx, { id, ...user }, { by, now })
}
