import {
  insertEmail,
  insertUser,
  insertUserNamespace,
  type NewUser,
  type Transaction,
} from '@stithy/store'

/**
 * Inserts a user with their personal namespace; values are not validated.
 * @throws UniqueViolationError when the username, the e-mail address or the path is taken.
 */
export async function addUser(
  tx: Transaction,
  user: Omit<NewUser, 'updatedAt' | 'confirmedAt'>,
  { confirmed }: { confirmed: boolean } = { confirmed: true },
): Promise<number> {
  const { username, name, email, createdAt: now } = user
  const confirmedAt = confirmed ? now : null
  const userId = await insertUser(tx, { ...user, updatedAt: now, confirmedAt })
  await insertEmail(tx, { userId, kind: 'primary', email, confirmedAt, createdAt: now })
  await insertUserNamespace(tx, { userId, username, name, now })
  return userId
}
