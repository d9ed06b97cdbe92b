import { deletePasswordReset, type Transaction, updateUser } from '@stithy/store'
import { endPasswordAccess } from '../authentication/session.ts'

/** Sets the password that a user has chosen, and ends what the old one has opened. */
export async function setOwnPassword(
  tx: Transaction,
  userId: number,
  { passwordHash, now }: { passwordHash: string; now: number },
): Promise<void> {
  await updateUser(tx, userId, { passwordHash, mustChangePassword: 0, updatedAt: now })
  await endOldPassword(tx, { userId, now })
}

/** Ends what a password has opened, when it is changed, and a mailed link to choose another one. */
export async function endOldPassword(
  tx: Transaction,
  change: { userId: number; now: number },
): Promise<void> {
  await endPasswordAccess(tx, change)
  await deletePasswordReset(tx, change.userId)
}
