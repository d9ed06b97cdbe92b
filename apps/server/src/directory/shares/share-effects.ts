import { deleteShare, type Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'

/** A project is no longer shared with the group that it has moved to. */
export async function removeShareWithNewGroup(
  tx: Transaction,
  { projectId, namespaceId, ownerId }: Change<'project.transferred'>,
): Promise<void> {
  if (ownerId === null) await deleteShare(tx, { projectId, groupId: namespaceId })
}
