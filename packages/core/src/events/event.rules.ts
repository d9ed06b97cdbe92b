import type { EventAction, EventSubjectType, PushData } from './event.schema.ts'

/** Days after which an event is removed: two years (document 1, Events). */
export const eventLifetimeDays = 730

const dayInMs = 86_400_000

const pushedNames: Record<PushData['action'], string> = {
  created: 'pushed new',
  pushed: 'pushed to',
  removed: 'deleted',
}

/**
 * The word for what was done (document 1, Activity event; catalogue: planning, 9; repository, 14): things
 * that are worked on are `opened`, for a second time too; the project itself is `created`.
 */
export function eventActionName(
  action: EventAction,
  targetType: EventSubjectType | null,
  pushAction: PushData['action'] | null,
): string {
  if (action === 'pushed') return pushedNames[pushAction ?? 'pushed']
  if (action === 'commented') return 'commented on'
  if (action === 'merged') return 'accepted'
  if (action === 'reopened') return 'opened'
  if (action === 'expired') return 'removed due to membership expiration from'
  if (action !== 'created') return action
  return targetType === null || targetType === 'project' ? 'created' : 'opened'
}

/** `merge_request` → `MergeRequest`: the name of a target's type in an answer. */
export function targetTypeName(type: EventSubjectType): string {
  return type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The types of subject that are notes. */
const noteSubjects: ReadonlySet<EventSubjectType | null> = new Set([
  'note',
  'discussion_note',
  'diff_note',
] as const)

/** Whether an event is about a note, of whatever kind. */
export function isAboutNote(type: EventSubjectType | null): boolean {
  return noteSubjects.has(type)
}

/**
 * The instants between which events are asked for, in milliseconds: from the day behind `after` on,
 * up to the start of the day `before`; both days themselves are left out.
 */
export function eventRange(filter: { after?: string | undefined; before?: string | undefined }): {
  from?: number
  until?: number
} {
  const { after, before } = filter
  return {
    ...(after === undefined ? {} : { from: startOfDay(after) + dayInMs }),
    ...(before === undefined ? {} : { until: startOfDay(before) }),
  }
}

function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

/** Events older than this instant are removed. */
export function eventHorizon(now: number): number {
  return now - eventLifetimeDays * dayInMs
}
