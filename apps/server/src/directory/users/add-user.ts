import { insertUser, insertUserNamespace, type NewUser, type Transaction } from '@stithy/store'

/**
 * Inserts a user with their personal namespace; values are not validated.
 * @throws UniqueViolationError when the username, the e-mail address or the path is taken.
 */
export async function addUser(
  tx: Transaction,
  user: Omit<NewUser, 'updatedAt' | 'confirmedAt'>,
): Promise<number> {
  const { username, name, createdAt: now } = user
  const userId = await insertUser(tx, { ...user, updatedAt: now, confirmedAt: now })
  await insertUserNamespace(tx, { userId, username, name, now })
  return userId
}
