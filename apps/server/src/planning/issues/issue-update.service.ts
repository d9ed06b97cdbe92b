import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { changeItem } from '../items/changes/change-item.ts'
import type { ItemChange } from '../items/changes/item-change.ts'
import type { IssueItem } from '../items/item.ts'
import { issueType } from './issue-type.ts'

/** `changeItem` for issues. */
export function updateIssue(
  app: App,
  caller: Caller,
  item: IssueItem,
  requested: ItemChange,
  options: { at?: number | undefined } = {},
): Promise<IssueItem> {
  return changeItem(app, caller, issueType, item, requested, options)
}
