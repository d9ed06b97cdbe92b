import { deleteStar, insertStar } from '@stithy/store'
import type { App } from '../../../platform/app.ts'

/** Stars a project; false when the user has starred it already. */
export function starProject(app: App, userId: number, projectId: number): Promise<boolean> {
  const star = { userId, projectId, createdAt: app.now() }
  return app.db.transaction((tx) => insertStar(tx, star))
}

/** Removes the user's star; false when there is none. */
export function unstarProject(app: App, userId: number, projectId: number): Promise<boolean> {
  return app.db.transaction((tx) => deleteStar(tx, { userId, projectId }))
}
