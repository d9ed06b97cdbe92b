import type { PushData } from '../../code/pushes/push-data.schema.ts'
import type { EventAction, EventSubjectType } from './event.schema.ts'

/** Days after which an event is removed: two years. */
export const eventLifetimeDays = 730

const dayInMs = 86_400_000

const pushedNames: Record<PushData['action'], string> = {
  created: 'pushed new',
  pushed: 'pushed to',
  removed: 'deleted',
}

/**
 * The `action_name` of an event: issues and other items are `opened`, also when reopened; the
 * project itself is `created`.
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

/** `merge_request` → `MergeRequest`: the type of a target as responses spell it. */
export function targetTypeName(type: EventSubjectType): string {
  return type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The types of subject that are notes. */
const noteSubjects: ReadonlySet<EventSubjectType | null> = new Set([
  'note',
  'discussion_note',
  'diff_note',
] as const)

/** Whether an event is about a note of any type. */
export function isAboutNote(type: EventSubjectType | null): boolean {
  return noteSubjects.has(type)
}

/**
 * Converts the days `after` and `before`, both exclusive, to timestamps in milliseconds: from the
 * day following `after`, up to the start of `before`.
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

/** The timestamp before which events are removed. */
export function eventCutoff(now: number): number {
  return now - eventLifetimeDays * dayInMs
}
