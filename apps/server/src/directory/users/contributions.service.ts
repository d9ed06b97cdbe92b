import type { App } from '../../platform/app.ts'
import { applyToDependents } from '../../platform/dependents.ts'

/** Reassigns a user's contributions to the ghost user; deletes personal snippets. Idempotent. */
export async function moveContributions(app: App, from: number, to: number): Promise<void> {
  await applyToDependents(app, app.dependents.movedWithUser, { from, to })
  await applyToDependents(app, app.dependents.endedWithUser, { userId: from })
}

/** Deletes a user's contributions and updates all counts. Idempotent. */
export async function removeContributions(app: App, userId: number): Promise<void> {
  await applyToDependents(app, app.dependents.removedWithUser, { userId })
  await applyToDependents(app, app.dependents.endedWithUser, { userId })
}
