import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { findReadableEpic, requireEditable } from '../epics/epic-lookup.service.ts'
import type { EpicItem } from '../items/item.ts'
import { assignChild, unassignChild } from './epic-link.service.ts'

/** `/child_epic` and `/parent_epic`. @throws DomainError as `assignChild` */
export async function assignChildByText(
  app: App,
  caller: Caller,
  parent: EpicItem,
  child: EpicItem,
): Promise<void> {
  requireEditable(app, caller, parent)
  await assignChild(app, caller, parent, child.row.id)
}

/** `/remove_child_epic`. @throws DomainError as `unassignChild` */
export async function removeChildByText(
  app: App,
  caller: Caller,
  parent: EpicItem,
  child: EpicItem,
): Promise<void> {
  requireEditable(app, caller, parent)
  await unassignChild(app, caller, parent, child.row.id)
}

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
