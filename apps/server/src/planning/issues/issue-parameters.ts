import { type BodyOf, invalidParameter, type issuesContract } from '@stithy/core'
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
function assigneesOf({ assignee_ids: several, assignee_id: one }: Settings) {
  if (several !== undefined) return several
  if (one === undefined) return undefined
  return one === null ? [] : [one]
}

/** The parameters of a change, in the order in which the error message lists them. */
const changeParameters = [
  'assignee_id',
  'assignee_ids',
  'confidential',
  'created_at',
  'description',
  'discussion_locked',
  'due_date',
  'labels',
  'milestone_id',
  'state_event',
  'title',
  'weight',
] as const

/** @throws DomainError `invalid_parameter` if no parameter of a change is sent. */
export function changeOf(body: UpdateBody, sent: ReadonlySet<string>): ItemChange {
  if (!changeParameters.some((name) => sent.has(name))) {
    const names = changeParameters.join(', ')
    throw invalidParameter(`${names} are missing, at least one parameter must be provided`)
  }
  return { ...settingsOf(body), stateEvent: body.state_event }
}
