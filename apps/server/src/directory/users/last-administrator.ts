import type { DomainError } from '@stithy/core'
import { lockAdministrators, type Transaction } from '@stithy/store'

/**
 * Rejects a change that would leave the instance without an active administrator, since nobody
 * could grant the role again. Call it in the transaction that removes or blocks the administrator.
 */
export async function assertNotLastAdministrator(
  tx: Transaction,
  userId: number,
  refuse: () => DomainError,
): Promise<void> {
  const administrators = await lockAdministrators(tx)
  if (administrators.length === 1 && administrators[0] === userId) throw refuse()
}
