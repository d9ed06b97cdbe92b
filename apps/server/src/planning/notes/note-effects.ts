import { stampOf, type Transaction, touchStamp } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'

/** Invalidates lists ordered by `updated_at`, which a comment changes. */
export async function touchListsOfNoteable(
  tx: Transaction,
  { item }: Change<'note.created'>,
): Promise<void> {
  if (item.type === 'issue') touchStamp(tx, stampOf('issues', item.row.projectId))
  if (item.type === 'epic') touchStamp(tx, 'epics')
  if (item.type === 'merge_request') touchStamp(tx, stampOf('mergeRequests', item.row.projectId))
}
