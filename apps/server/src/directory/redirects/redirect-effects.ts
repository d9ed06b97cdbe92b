import { findUserNamespace, putRedirect, type Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'

/** Remembers the path that a project had. */
export async function redirectToProject(
  tx: Transaction,
  { projectId, oldFullPath }: Change<'project.updated' | 'project.transferred'>,
): Promise<void> {
  if (oldFullPath !== undefined) await putRedirect(tx, oldFullPath, { projectId })
}

/** Remembers the path that a group had; what is below is found through it. */
export function redirectToGroup(
  tx: Transaction,
  { groupId, oldFullPath }: Change<'group.renamed'>,
): Promise<void> {
  return putRedirect(tx, oldFullPath, { namespaceId: groupId })
}

/** Remembers the name that a user had, which began the paths of their projects. */
export async function redirectToUser(
  tx: Transaction,
  { renamedUserId, oldUsername }: Change<'user.renamed'>,
): Promise<void> {
  const namespace = await findUserNamespace(tx, renamedUserId)
  if (namespace !== undefined) await putRedirect(tx, oldUsername, { namespaceId: namespace.id })
}
