import { type RefUpdate, refusalOf } from '@stithy/core'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/** A ref that may not move, and why, as a sentence for whoever pushes. */
export interface RefRefusal {
  ref: string
  reason: string
}

/** Refs that somebody wants to move. */
export interface RefChange {
  subject: ProjectSubject
  caller: Caller
  updates: readonly RefUpdate[]
  /** The way it comes in: some of the rules are stricter for git (catalogue: repository, 13). */
  via: 'git' | 'api'
}

/**
 * The one place that decides which refs may move (catalogue: repository, 13): over git and through the
 * API. The right to push code at all is decided before. One refusal refuses the whole push.
 */
export async function checkRefUpdates(_app: App, change: RefChange): Promise<RefRefusal[]> {
  const { defaultBranch } = change.subject.row
  return change.updates.flatMap((update) => {
    const reason = refusalOf(update, { defaultBranch })
    return reason === undefined ? [] : [{ ref: update.ref, reason }]
  })
}
