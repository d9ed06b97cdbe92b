import type { MergeRequestDetail } from '@stithy/core'
import { findUsers } from '../../../planning/items/find-users.ts'
import { type Submission, submit } from '../../../platform/forms/submit.ts'
import { ifPermitted } from '../../../platform/pages/if-permitted.ts'
import { loadAll } from '../../../platform/pages/load-all.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { requestFieldIds } from './request-fields.ts'

type Saved = Submission<MergeRequestDetail>

/**
 * Saves a merge request with the users that its form names: the assignees with it, the approvers
 * after it.
 * @param write the call with the ids of the assignees
 */
export async function saveRequest(
  call: Pick<PageCall, 'client' | 'form'>,
  write: (assigneeIds: number[]) => PromiseLike<MergeRequestDetail>,
): Promise<Saved> {
  const { client, form } = call
  const [assignees, approvers] = await loadAll([
    findUsers(call, form.text('assignees'), 'assignees'),
    findUsers(call, form.text('approvers'), 'approvers'),
  ])
  if (!assignees.ok) return assignees
  if (!approvers.ok) return approvers
  const saved = await submit(write(assignees.ids), requestFieldIds)
  if (saved.ok && form.has('approvers') && form.text('approvers') !== form.text('old_approvers')) {
    const { project_id: projectId, iid: mergeRequestIid } = saved.value
    await client.mergeRequests.approvers.set({
      projectId,
      mergeRequestIid,
      approver_ids: approvers.ids,
      approver_group_ids: [],
    })
  }
  return saved
}

/** Whether the viewer may choose who approves a merge request into a project. One call. */
export async function mayChooseApprovers(
  { client }: Pick<PageCall, 'client'>,
  projectId: number,
): Promise<boolean> {
  const settings = await ifPermitted(client.projects.approvals.show({ projectId }))
  return settings?.disable_overriding_approvers_per_merge_request === false
}
