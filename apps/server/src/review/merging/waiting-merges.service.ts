import { DomainError } from '@stithy/core'
import { findMergeRequestById } from '@stithy/store'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { loadProject } from '../../directory/projects/project-subject.ts'
import { findMergeRequestItem } from '../../planning/items/item-access.ts'
import type { App } from '../../platform/app.ts'
import { acceptMergeRequest } from './merge.service.ts'
import { parseWaitingMerge } from './pending-merge.ts'

/**
 * Merges a merge request that waited for its pipeline, on behalf of the user who asked for it. One
 * that cannot be merged keeps waiting, for a later pipeline of the same head.
 */
export async function mergeWaiting(app: App, id: number): Promise<void> {
  const row = await findMergeRequestById(app.db, id)
  if (row?.state !== 'opened' || row.mergeWhenPipelineSucceeds === 0 || !row.mergeUserId) return
  const caller = await actingUser(app, row.mergeUserId)
  if (caller === undefined) return
  const project = await loadProject(app, String(row.projectId), caller)
  const item = project && (await findMergeRequestItem(app, caller, project, row.iid))
  if (item === undefined) return
  const options = { ...parseWaitingMerge(row.mergeParams), whenPipelineSucceeds: true }
  try {
    await acceptMergeRequest(app, caller, item, { ...options, sha: row.headSha })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    app.log.info({ err: error, mergeRequest: id }, 'a waiting merge request cannot be merged')
  }
}
