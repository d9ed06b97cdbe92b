import type { DomainError } from '@stithy/core'
import { lockAdministrators, type Transaction } from '@stithy/store'

/**
 * Refuses what would leave the service without an active administrator, whom nobody could make anew.
 * To be asked in the transaction that takes the user out of their number.
 */
export async function keepAnAdministrator(
  tx: Transaction,
  userId: number,
  refuse: () => DomainError,
): Promise<void> {
  const administrators = await lockAdministrators(tx)
  if (administrators.length === 1 && administrators[0] === userId) throw refuse()
}
