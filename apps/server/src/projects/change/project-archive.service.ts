import { toFlag, updateProject } from '@stithy/store'
import type { App } from '../../app.ts'
import type { ProjectRow } from '../project-subject.ts'

/** Archives a project or brings it back; nothing happens where it is so already. */
export async function archiveProject(app: App, row: ProjectRow, archived: boolean): Promise<void> {
  if ((row.archived === 1) === archived) return
  const changes = { archived: toFlag(archived), updatedAt: app.now() }
  await app.db.transaction((tx) => updateProject(tx, row.id, changes))
}
