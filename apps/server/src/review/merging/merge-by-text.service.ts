import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { decideOn, enforce } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import { approve } from '../approvals/approve.service.ts'
import { acceptMergeRequest } from './merge.service.ts'

/**
 * Handles `/merge`: `PUT .../merge` with `merge_when_pipeline_succeeds`. False if the merge request
 * is neither merged nor waiting afterwards.
 * @throws DomainError as that call
 */
export async function mergeByText(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
): Promise<boolean> {
  enforce(decideOn(app, 'merge_request', 'accept_merge_request', item, caller), caller)
  const { row } = await acceptMergeRequest(app, caller, item, { whenPipelineSucceeds: true })
  return row.state === 'merged' || row.mergeWhenPipelineSucceeds === 1
}

/** Handles `/approve`. @throws DomainError as `POST .../approve` */
export async function approveByText(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
): Promise<void> {
  enforce(decideOn(app, 'merge_request', 'approve_merge_request', item, caller), caller)
  await approve(app, caller, item, {})
}
