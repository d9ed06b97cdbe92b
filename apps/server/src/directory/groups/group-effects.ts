import type { Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { deleteGroupsIn } from './group-delete.service.ts'

/** Deletes the groups whose only owner is deleted. */
export async function deleteSoleGroups(
  tx: Transaction,
  { soleGroups, userId, at, now }: Change<'user.deleted'>,
): Promise<void> {
  await deleteGroupsIn(tx, soleGroups, { userId, at, now })
}
