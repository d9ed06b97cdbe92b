import { type BodyOf, invalidParameter, type issuesContract } from '@stithy/core'
import type { IssueChange, IssueSettings } from './issue-input.ts'

type UpdateBody = BodyOf<typeof issuesContract.update>
type Settings = Omit<UpdateBody, 'state_event' | 'created_at' | 'updated_at'>

/** What a body sets, by the names that services have for it. */
export function settingsOf(body: Settings): IssueSettings {
  const settings: IssueSettings = {
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

/** `assignee_id` is the old name for one of them; 0, null and an empty text clear it. */
function assigneesOf({ assignee_ids: several, assignee_id: one }: Settings) {
  if (several !== undefined) return several
  if (one === undefined) return undefined
  return one === null ? [] : [one]
}

/** What is needed of a change, in the order that the refusal names them in. */
const changing = [
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

/** @throws DomainError `invalid_parameter` where nothing is to change (catalogue: issues, 2.1). */
export function changeOf(body: UpdateBody, sent: ReadonlySet<string>): IssueChange {
  if (!changing.some((name) => sent.has(name))) {
    const names = changing.join(', ')
    throw invalidParameter(`${names} are missing, at least one parameter must be provided`)
  }
  return { ...settingsOf(body), stateEvent: body.state_event }
}
