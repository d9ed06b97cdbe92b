import { type Transaction, updateUser } from '@stithy/store'
import { endSessionsOf } from '../authentication/session.ts'

/** Sets the password that a user has chosen, and ends their sessions. */
export async function setOwnPassword(
  tx: Transaction,
  userId: number,
  { passwordHash, now }: { passwordHash: string; now: number },
): Promise<void> {
  await updateUser(tx, userId, { passwordHash, mustChangePassword: 0, updatedAt: now })
  await endSessionsOf(tx, userId)
}
