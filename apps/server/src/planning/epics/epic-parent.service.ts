import { validationFailed } from '@stithy/core'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { App } from '../../platform/app.ts'
import { decideOn } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { EpicItem } from '../items/item.ts'
import { findReadableEpic } from './epic-lookup.service.ts'

/**
 * Finds the parent for a new epic of a group (`parent_id`): an epic of this group, or of one above
 * it, that the caller may update. At most three queries.
 * @throws DomainError `validation_failed`
 */
export async function requireParent(
  app: App,
  caller: Caller,
  { row: { fullPath } }: GroupSubject,
  id: number,
): Promise<EpicItem> {
  const parent = await findReadableEpic(app, caller, id)
  const isNear = parent !== undefined && `${fullPath}/`.startsWith(`${parent.row.groupFullPath}/`)
  if (!isNear || !decideOn(app, 'epic', 'update_epic', parent, caller).allowed) {
    throw invalidParent()
  }
  return parent
}

function invalidParent() {
  return validationFailed({ parent_id: ['is invalid'] })
}
