import { insertMember, setMember, type Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'

/** Makes the user of a personal namespace a member of a project that is created in or moved to it. */
export async function addOwnerOfPersonalProject(
  tx: Transaction,
  change: Change<'project.created'> | Change<'project.transferred'>,
): Promise<void> {
  const { projectId, ownerId, userId, now } = change
  if (ownerId === null) return
  await setMember(tx, {
    userId: ownerId,
    sourceKind: 'project',
    sourceId: projectId,
    accessLevel: 40,
    expiresOn: null,
    createdById: userId,
    createdAt: now,
  })
}

/** Makes the user who created a group its owner. */
export async function addOwnerOfGroup(
  tx: Transaction,
  { groupId, userId, now }: Change<'group.created'>,
): Promise<void> {
  await insertMember(tx, {
    userId,
    sourceKind: 'group',
    sourceId: groupId,
    accessLevel: 50,
    expiresOn: null,
    createdById: userId,
    createdAt: now,
  })
}
