import { mergeRequestHeadRef, mergeRequestMergeRef } from '@stithy/core'
import { updateRefs, zeroOid } from '@stithy/git'
import { deleteMergeRequests, findRepository } from '@stithy/store'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { mergeRequestType } from './update/merge-request-type.ts'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'merge_request.deleted': { item: MergeRequestItem }
  }
}

/**
 * Deletes a merge request that the caller may delete, with its versions, notes, labels, todos, award
 * emoji and events; a job removes its refs.
 * @throws DomainError `not_found` if it was deleted already.
 */
export async function removeMergeRequest(
  app: App,
  caller: Caller,
  request: MergeRequestItem,
): Promise<undefined> {
  const now = app.now()
  const by = { userId: requireCaller(caller).id, at: now, now }
  await app.db.transaction(async (tx) => {
    const item = await mergeRequestType.lock(tx, request)
    await deleteMergeRequests(tx, [item.row])
    await recordChange(tx, { kind: 'merge_request.deleted', ...by, item })
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
