import type { BodyOf, issuesContract } from '@stithy/core'
import type { ItemChange, ItemSettings } from '../items/changes/item-change.ts'

type UpdateBody = BodyOf<typeof issuesContract.update>
type Settings = Omit<UpdateBody, 'state_event' | 'created_at' | 'updated_at'>

/** The settings of a request body, by their internal names. */
export function settingsOf(body: Settings): ItemSettings {
  const settings: ItemSettings = {
    title: body.title,
    description: body.description,
    confidential: body.confidential,
    assigneeIds: assigneesOf(body),
    milestoneId: body.milestone_id,
    labelNames: body.labels,
    dueDate: body.due_date,
    discussionLocked: body.discussion_locked,
    weight: body.weight,
  }
  return settings
}

/** `assignee_id` is the older single form of `assignee_ids`; 0, null and an empty text clear it. */
export function assigneesOf({
  assignee_ids: several,
  assignee_id: one,
}: Pick<Settings, 'assignee_ids' | 'assignee_id'>): number[] | undefined {
  if (several !== undefined) return several
  if (one === undefined) return undefined
  return one === null ? [] : [one]
}

/** The change of an item that an update asks for. */
export function changeOf(body: UpdateBody): ItemChange {
  return { ...settingsOf(body), stateEvent: body.state_event }
}
