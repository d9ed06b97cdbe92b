import type { RefUpdate } from '@stithy/core'
import { type ReceiveCommand, type Repository, readUpdatedRefs } from '@stithy/git'
import type { App } from '../app.ts'
import { recordPush } from '../pushes/push.service.ts'
import type { PushTicket } from '../pushes/push-journal.ts'

/** A push that git is done with. */
export interface DonePush {
  projectId: number
  userId: number
  repository: Repository
  commands: readonly ReceiveCommand[]
  updates: readonly RefUpdate[]
  /** What the client sent with `git push -o`. */
  options: readonly string[]
}

/**
 * Records what a push moved, before its client hears of it. What cannot be recorded now is left to the
 * job that the ticket stands for: the refs have moved, so the client shall be told that all the same.
 */
export async function settlePush(
  app: App,
  push: DonePush,
  ticket: PushTicket,
  reported: ReadonlySet<string> | undefined,
): Promise<void> {
  const { projectId, userId, options } = push
  try {
    const moved = reported ?? (await movedRefs(app, push))
    const updates = push.updates.filter(
      ({ ref, before, after }) => moved.has(ref) && before !== after,
    )
    if (updates.length === 0) await ticket.discard()
    else await recordPush(app, { projectId, userId, updates, options, journalId: ticket.id })
  } catch (error) {
    app.log.error(
      { err: error, projectId },
      'a push could not be recorded; it is tried again later',
    )
  } finally {
    ticket.release()
  }
}

/** Without a report (git was cut off, or the client wanted none) the refs themselves tell. */
async function movedRefs(app: App, { repository, commands }: DonePush): Promise<Set<string>> {
  const moved = await readUpdatedRefs(app.git, repository, [...commands])
  return new Set(moved.map(({ ref }) => ref))
}
