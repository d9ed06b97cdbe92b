import type { BodyOf, mergeRequestsContract } from '@stithy/core'
import { assigneesOf } from '../../planning/issues/issue-parameters.ts'
import type { ItemChange, ItemSettings } from '../../planning/items/changes/item-change.ts'

type UpdateBody = BodyOf<typeof mergeRequestsContract.update>
type Settings = Omit<UpdateBody, 'state_event' | 'target_branch'>

/** The settings of a request body, by their internal names. */
export function settingsOf(body: Settings): ItemSettings {
  return {
    title: body.title,
    description: body.description,
    assigneeIds: assigneesOf(body),
    milestoneId: body.milestone_id,
    labelNames: body.labels,
    discussionLocked: body.discussion_locked,
    squash: body.squash,
    removeSourceBranch: body.remove_source_branch,
    allowCollaboration: body.allow_collaboration ?? body.allow_maintainer_to_push,
  }
}

/** The change that an update asks for. */
export function changeOf(body: UpdateBody): ItemChange {
  const { target_branch: targetBranch, state_event: stateEvent } = body
  return { ...settingsOf(body), targetBranch, stateEvent }
}
