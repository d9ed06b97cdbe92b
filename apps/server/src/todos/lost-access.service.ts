import { enqueueJob, type Transaction } from '@stithy/store'
import { z } from 'zod'

export const removeHiddenTodosKind = 'todos.remove-hidden'
const delayMs = 60 * 60_000

/** A user who lost access to something, or an issue that some users lost access to. */
export const LostAccess = z.union([z.object({ userId: z.int() }), z.object({ issueId: z.int() })])
export type LostAccess = z.output<typeof LostAccess>

/**
 * Lets the todos go, an hour from now, whose target their users cannot read any more (catalogue: planning, 5;
 * issues, 4). Lists leave them out at once. Belongs into the transaction that removes a member or makes an
 * issue confidential; who gets the access back within the hour keeps them. @param now milliseconds
 */
export async function removeHiddenTodosLater(
  tx: Transaction,
  lost: LostAccess,
  now: number,
): Promise<void> {
  const job = { queue: 'maintenance', kind: removeHiddenTodosKind, payload: lost }
  await enqueueJob(tx, { ...job, runAt: now + delayMs }, now)
}
