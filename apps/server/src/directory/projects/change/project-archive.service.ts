import { toFlag, updateProject } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { ProjectRow } from '../project-subject.ts'

/** Archives or unarchives a project; no change when it is in that state already. */
export async function archiveProject(app: App, row: ProjectRow, archived: boolean): Promise<void> {
  if ((row.archived === 1) === archived) return
  const changes = { archived: toFlag(archived), updatedAt: app.now() }
  await app.db.transaction((tx) => updateProject(tx, row.id, changes))
}
