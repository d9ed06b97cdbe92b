import { findUser, type Transaction, updateUser } from '@stithy/store'
import { dayOf } from '../../platform/calendar/day.ts'

/** Records a sign-in of a user; `now` is milliseconds since the epoch. */
export async function recordSignIn(tx: Transaction, userId: number, now: number): Promise<void> {
  const user = await findUser(tx, userId)
  await updateUser(tx, userId, {
    lastSignInAt: user?.currentSignInAt ?? now,
    currentSignInAt: now,
    lastActivityOn: dayOf(now),
  })
}
