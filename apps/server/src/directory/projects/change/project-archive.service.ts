import { toFlag, updateProject } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { attributeChanges } from '../../../platform/changes/attribute-change.ts'
import { changeByCaller } from '../../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../../platform/changes/record-change.ts'
import type { ProjectRow } from '../project-subject.ts'

/** Archives or unarchives a project; no change when it is in that state already. */
export async function archiveProject(app: App, row: ProjectRow, archived: boolean): Promise<void> {
  if ((row.archived === 1) === archived) return
  const changes = { archived: toFlag(archived), updatedAt: app.now() }
  await app.db.transaction(async (tx) => {
    await updateProject(tx, row.id, changes)
    await recordChange(tx, {
      kind: 'project.updated',
      ...changeByCaller(changes.updatedAt),
      projectId: row.id,
      oldFullPath: undefined,
      changes: attributeChanges(row, changes, ['archived']),
    })
  })
}
