import { validationFailed } from '@stithy/core'
import { findEpicsById } from '@stithy/store'
import { type GroupSubject, loadGroup } from '../../directory/groups/group-subject.ts'
import type { App } from '../../platform/app.ts'
import { decideOn } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { EpicItem } from '../items/item.ts'

/**
 * Finds the parent for a new epic of a group (`parent_id`): an epic of this group, or of one above
 * it, that the caller may update. Two queries.
 * @throws DomainError `validation_failed`
 */
export async function requireParent(
  app: App,
  caller: Caller,
  { row: { fullPath } }: GroupSubject,
  id: number,
): Promise<EpicItem> {
  const [row] = await findEpicsById(app.db, [id])
  const isNear = row !== undefined && `${fullPath}/`.startsWith(`${row.groupFullPath}/`)
  const group = isNear ? await loadGroup(app, String(row.groupId), caller) : undefined
  if (row === undefined || group === undefined) throw invalidParent()
  const parent: EpicItem = { type: 'epic', row, group }
  if (!decideOn(app, 'epic', 'update_epic', parent, caller).allowed) throw invalidParent()
  return parent
}

function invalidParent() {
  return validationFailed({ parent_id: ['is invalid'] })
}
