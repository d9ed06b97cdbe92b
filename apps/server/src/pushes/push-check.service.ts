import { type RefUpdate, refusalOf } from '@stithy/core'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/** A ref that may not move, and why, as a sentence for whoever pushes. */
export interface RefRefusal {
  ref: string
  reason: string
}

/**
 * The one place that decides which refs a push may move (catalogue: repository, 13): over git and, later,
 * through the API. The right to push code at all is decided before. One refusal refuses the whole push.
 */
export async function checkRefUpdates(
  _app: App,
  subject: ProjectSubject,
  _caller: Caller,
  updates: readonly RefUpdate[],
): Promise<RefRefusal[]> {
  const { defaultBranch } = subject.row
  return updates.flatMap((update) => {
    const reason = refusalOf(update, { defaultBranch })
    return reason === undefined ? [] : [{ ref: update.ref, reason }]
  })
}
