import { deleteStar, insertStar } from '@stithy/store'
import type { App } from '../../app.ts'

/** Stars a project; false when the user has done so before. */
export function starProject(app: App, userId: number, projectId: number): Promise<boolean> {
  const star = { userId, projectId, createdAt: app.now() }
  return app.db.transaction((tx) => insertStar(tx, star))
}

/** Takes the star back; false when there is none. */
export function unstarProject(app: App, userId: number, projectId: number): Promise<boolean> {
  return app.db.transaction((tx) => deleteStar(tx, { userId, projectId }))
}
