import { validationFailed } from '@stithy/core'
import { findEmail, findNotifiedEmail, setNotifiedEmail, type Transaction } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { CallerUser } from '../../../platform/http/caller.ts'

/** The address that notifications of a user are sent to: the primary one, unless they chose another. */
export async function notificationEmailOf(app: App, user: CallerUser): Promise<string> {
  return (await findNotifiedEmail(app.db, user.id)) ?? user.email
}

/**
 * Chooses a confirmed address of the user for notifications; an empty one chooses the primary one.
 * @throws DomainError `validation_failed` for the address of somebody else, or an unconfirmed one
 */
export async function chooseNotificationEmail(
  tx: Transaction,
  userId: number,
  address: string,
): Promise<void> {
  const row = address === '' ? undefined : await findEmail(tx, address)
  if (address !== '' && (row?.userId !== userId || row.confirmedAt === null)) {
    throw validationFailed({ notification_email: ['is not an email you own'] })
  }
  await setNotifiedEmail(tx, { userId, id: row?.id ?? 0 })
}
