import { DomainError, decideOnProject } from '@stithy/core'
import { findBranch } from '@stithy/git'
import { findMergeRequestById, type MergeRequestRow } from '@stithy/store'
import { loadBranchRights } from '../../code/protected-refs/ref-access.service.ts'
import { changeRefs } from '../../code/pushes/ref-change.service.ts'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { loadProject, type ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'

export const removeSourceBranchKind = 'merge-requests.remove-source-branch'

/**
 * Deletes the source branch of a merged merge request, if that was asked for: unless it is
 * protected, the default branch, or has moved on. The user who merged it must be allowed to push to
 * it; for the option of the merge request itself, its author suffices. Can be repeated.
 * @param userId who merged it
 */
export async function removeSourceBranch(app: App, id: number, userId: number): Promise<void> {
  const row = await findMergeRequestById(app.db, id)
  if (row?.state !== 'merged' || row.sourceProjectId === null || !removesSourceBranch(row)) return
  const isOwnOption = row.shouldRemoveSourceBranch === null
  const userIds = isOwnOption ? [userId, row.authorId] : [userId]
  for (const actorId of new Set(userIds)) {
    const caller = await actingUser(app, actorId)
    if (caller === undefined) continue
    const subject = await loadProject(app, String(row.sourceProjectId), caller)
    if (subject === undefined || !(await mayRemove(app, caller, subject, row))) continue
    await remove(app, caller, subject, row)
    return
  }
}

/**
 * Whether a merge deletes the source branch: the option of the call that merged it takes precedence
 * over that of the merge request.
 */
export function removesSourceBranch({
  shouldRemoveSourceBranch,
  forceRemoveSourceBranch,
}: MergeRequestRow): boolean {
  return (shouldRemoveSourceBranch ?? forceRemoveSourceBranch) === 1
}

async function mayRemove(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  { sourceBranch }: MergeRequestRow,
): Promise<boolean> {
  if (subject.row.defaultBranch === sourceBranch) return false
  // Those who may only push to this branch may not delete it.
  if (!decideOnProject('push_code', caller.facts, subject.facts).allowed) return false
  const rights = (await loadBranchRights(app, { subject, caller }))(sourceBranch)
  return rights.canPush && !rights.protected
}

async function remove(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  { id, sourceBranch, headSha }: MergeRequestRow,
): Promise<void> {
  const branch = await findBranch(app.git, repositoryOf(app, subject.row), sourceBranch)
  if (branch?.oid !== headSha) return
  const update = { ref: `refs/heads/${sourceBranch}`, before: headSha, after: null }
  try {
    await changeRefs(app, { subject, caller, updates: [update] })
  } catch (error) {
    // Somebody else moved or deleted it first, or a rule changed.
    if (!(error instanceof DomainError)) throw error
    app.log.info({ err: error, mergeRequest: id }, 'a source branch was not deleted')
  }
}
