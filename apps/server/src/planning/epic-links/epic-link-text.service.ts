import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { findReadableEpic, onEditable } from '../epics/epic-lookup.service.ts'
import type { EpicItem } from '../items/item.ts'
import { assignChild, unassignChild } from './epic-link.service.ts'

/** `/child_epic` and `/parent_epic`. @throws DomainError as `assignChild` */
export const assignChildByText = onEditable(assignChild)

/** `/remove_child_epic`. @throws DomainError as `unassignChild` */
export const removeChildByText = onEditable(unassignChild)

/** `/remove_parent_epic`; false if there is no parent that the caller can read. @throws DomainError */
export async function removeParentByText(
  app: App,
  caller: Caller,
  child: EpicItem,
): Promise<boolean> {
  const { parentId } = child.row
  const parent = parentId === null ? undefined : await findReadableEpic(app, caller, parentId)
  if (parent === undefined) return false
  await removeChildByText(app, caller, parent, child)
  return true
}
