import { enqueueJob, type Transaction } from '@stithy/store'
import { z } from 'zod'

export const removeHiddenTodosKind = 'todos.remove-hidden'
const delayMs = 60 * 60_000

/** A user who lost access to items, or an issue that users lost access to. */
export const LostAccess = z.union([z.object({ userId: z.int() }), z.object({ issueId: z.int() })])
export type LostAccess = z.output<typeof LostAccess>

/**
 * Enqueues a job that, in an hour, removes todos whose target their users can no longer read. Lists
 * hide them immediately. Call it in the transaction that removes a member or makes an issue
 * confidential; users who regain access within the hour keep their todos.
 * @param now milliseconds
 */
export async function enqueueHiddenTodoRemoval(
  tx: Transaction,
  lost: LostAccess,
  now: number,
): Promise<void> {
  const job = { queue: 'maintenance', kind: removeHiddenTodosKind, payload: lost }
  await enqueueJob(tx, { ...job, runAt: now + delayMs }, now)
}
