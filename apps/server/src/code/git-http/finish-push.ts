import type { RefUpdate } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import { recordPush } from '../pushes/push.service.ts'
import type { PendingPush } from '../pushes/push-journal.ts'
import { recordWikiPush } from '../wikis/wiki-record.service.ts'

/** A push whose refs have moved. */
export interface ProcessedPush {
  projectId: number
  userId: number
  updates: readonly RefUpdate[]
  /** Push options (`git push -o`). */
  options: readonly string[]
  /** Whether the refs are those of the project's wiki. */
  isWiki: boolean
}

/**
 * Records a push before its client gets the result. If that fails, the push's journal job records it
 * later: the refs have moved, so the client gets its report in any case.
 */
export async function finishPush(
  app: App,
  { projectId, userId, updates, options, isWiki }: ProcessedPush,
  pendingPush: PendingPush,
): Promise<void> {
  try {
    const journalId = pendingPush.id
    if (updates.length === 0) await pendingPush.discard()
    else if (isWiki) await recordWikiPush(app, { projectId, userId, updates, journalId })
    else await recordPush(app, { projectId, userId, updates, options, journalId })
  } catch (error) {
    app.log.error(
      { err: error, projectId },
      'a push could not be recorded; it is tried again later',
    )
  } finally {
    pendingPush.release()
  }
}
