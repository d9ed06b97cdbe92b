import type { RefUpdate } from '@stithy/core'
import { type ReceiveCommand, type Repository, readUpdatedRefs } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { recordPush } from '../pushes/push.service.ts'
import type { PendingPush } from '../pushes/push-journal.ts'

/** A push that git has processed. */
export interface ProcessedPush {
  projectId: number
  userId: number
  repository: Repository
  commands: readonly ReceiveCommand[]
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
  push: ProcessedPush,
  pendingPush: PendingPush,
  reported: ReadonlySet<string> | undefined,
): Promise<void> {
  const { projectId, userId, options } = push
  try {
    const moved = reported ?? (await movedRefs(app, push))
    const updates = push.updates.filter(
      ({ ref, before, after }) => moved.has(ref) && before !== after,
    )
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

/** Reads the refs themselves if there is no report (git was killed, or the client wanted none). */
async function movedRefs(app: App, { repository, commands }: ProcessedPush): Promise<Set<string>> {
  const moved = await readUpdatedRefs(app.git, repository, [...commands])
  return new Set(moved.map(({ ref }) => ref))
}
