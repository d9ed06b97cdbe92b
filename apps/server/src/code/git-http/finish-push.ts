import type { RefUpdate } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import { recordPush } from '../pushes/push.service.ts'
import type { PendingPush } from '../pushes/push-journal.ts'

/** A push whose refs have moved. */
export interface ProcessedPush {
  projectId: number
  userId: number
  updates: readonly RefUpdate[]
  /** Push options (`git push -o`). */
  options: readonly string[]
}

/**
 * Records a push before its client gets the result. If that fails, the push's journal job records it
 * later: the refs have moved, so the client gets its report in any case.
 */
export async function finishPush(
  app: App,
  { projectId, userId, updates, options }: ProcessedPush,
  pendingPush: PendingPush,
): Promise<void> {
  try {
    if (updates.length === 0) await pendingPush.discard()
    else await recordPush(app, { projectId, userId, updates, options, journalId: pendingPush.id })
  } catch (error) {
    app.log.error(
      { err: error, projectId },
      'a push could not be recorded; it is tried again later',
    )
  } finally {
    pendingPush.release()
  }
}
