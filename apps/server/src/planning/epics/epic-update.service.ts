import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { changeItem } from '../items/changes/change-item.ts'
import type { ItemChange } from '../items/changes/item-change.ts'
import type { EpicItem } from '../items/item.ts'
import { epicType } from './epic-type.ts'

/** `changeItem` for epics. */
export function updateEpic(
  app: App,
  caller: Caller,
  item: EpicItem,
  requested: ItemChange,
): Promise<EpicItem> {
  return changeItem(app, caller, epicType, item, requested)
}
