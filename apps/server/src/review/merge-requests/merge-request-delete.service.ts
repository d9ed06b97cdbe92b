import { mergeRequestHeadRef, mergeRequestMergeRef } from '@stithy/core'
import { updateRefs, zeroOid } from '@stithy/git'
import { deleteMergeRequests, findRepository } from '@stithy/store'
import type { ItemChangeBy } from '../../planning/items/changes/work-item-type.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import { deleteItem } from '../../planning/items/item-removal.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { mergeRequestType } from './update/merge-request-type.ts'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'merge_request.deleted': { item: MergeRequestItem }
  }
}

/**
 * Deletes a merge request that the user may delete, with its versions, notes, labels, todos, award
 * emoji and events, in batches if there are many; a job removes its refs.
 * @throws DomainError `not_found` if it was deleted already.
 */
export async function removeMergeRequest(
  app: App,
  by: ItemChangeBy,
  request: MergeRequestItem,
): Promise<undefined> {
  const { id } = request.row
  await deleteItem(app, { type: 'merge_request', id, userId: by.userId }, async (tx, limit) => {
    const item = await mergeRequestType.lock(tx, request)
    const count = await deleteMergeRequests(tx, [item.row], limit)
    if (count < limit) await recordChange(tx, { kind: 'merge_request.deleted', ...by, item })
    return count
  })
  return undefined
}

/** The refs of a deleted merge request. */
export interface DeletedRefs {
  projectId: number
  iid: number
}

/** Removes what a deleted merge request published in the target repository. */
export async function removeMergeRequestRefs(
  app: App,
  { projectId, iid }: DeletedRefs,
): Promise<void> {
  const project = await findRepository(app.db, projectId)
  if (project === undefined) return
  const refs = [mergeRequestHeadRef(iid), mergeRequestMergeRef(iid)]
  const updates = refs.map((ref) => ({ ref, newOid: zeroOid }))
  await updateRefs(app.git, repositoryOf(app, project), updates)
}
