import { changeItem } from '../../planning/items/changes/change-item.ts'
import type { ItemChange } from '../../planning/items/changes/item-change.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { renewMergeRequest } from './merge-request-renew.service.ts'
import { asOnlyOpen } from './open/only-open.service.ts'
import { mergeRequestType, reload } from './update/merge-request-type.ts'

/**
 * `changeItem` for merge requests; a reopened one gets a version with what was pushed meanwhile.
 * @throws DomainError also `conflict` if another open merge request has the same source and target.
 */
export async function updateMergeRequest(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  asked: ItemChange,
): Promise<MergeRequestItem> {
  const branches = { ...item.row, targetBranch: asked.targetBranch ?? item.row.targetBranch }
  const changed = await asOnlyOpen(app, branches, () =>
    changeItem(app, caller, mergeRequestType, item, asked),
  )
  if (item.row.state !== 'closed' || changed.row.state !== 'opened') return changed
  await renewMergeRequest(app, item.row.id)
  return reload(app, item)
}
