import type { Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { deleteGroupsIn } from './group-delete.service.ts'

/** Deletes the groups whose only owner is deleted. */
export async function deleteSolelyOwnedGroups(
  tx: Transaction,
  { solelyOwnedGroups, userId, at, now }: Change<'user.deleted'>,
): Promise<void> {
  await deleteGroupsIn(tx, solelyOwnedGroups, { userId, at, now })
}
