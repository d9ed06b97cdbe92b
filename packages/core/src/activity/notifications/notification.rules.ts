import type {
  NotificationEvent,
  NotificationLevel,
} from '../notification-settings/notification-setting.schema.ts'

/** What users are told of by mail; those that no setting names follow the level alone. */
export type NotifiedEvent =
  | NotificationEvent
  | 'close_epic'
  | 'moved_project'
  | 'new_mention'
  | 'relabel'
  | 'reopen_epic'

const creations: ReadonlySet<NotifiedEvent> = new Set([
  'new_issue',
  'new_merge_request',
  'new_epic',
])

/** Whether the event is that of something new, the first mail of its thread. */
export function isCreation(event: NotifiedEvent): boolean {
  return creations.has(event)
}

/**
 * Why a user may be told of something: they take part in it; the text mentions them, or they were
 * assigned; they watch the place; they subscribed to it.
 */
export type RecipientType = 'participating' | 'mention' | 'watch' | 'subscription'

/** The level that applies to a user in one place, never `global`. */
export interface AppliedLevel {
  level: Exclude<NotificationLevel, 'global'>
  /** Of level `custom`. */
  events: Readonly<Partial<Record<NotificationEvent, boolean>>>
}

/** The levels that a user chose: from the project over its groups, the nearest first, to all. */
export interface LevelChoices {
  project?: LevelChoice | undefined
  groups: readonly LevelChoice[]
  global?: LevelChoice | undefined
}

interface LevelChoice {
  level: NotificationLevel
  events: AppliedLevel['events']
}

/** The closest choice that isn't `global`; without any it is `participating`. */
export function appliedLevel({ project, groups, global }: LevelChoices): AppliedLevel {
  for (const choice of [project, ...groups, global]) {
    if (choice === undefined || choice.level === 'global') continue
    return { level: choice.level, events: choice.events }
  }
  return { level: 'participating', events: {} }
}

/** Events that watching a place does not include. */
const unwatched: ReadonlySet<NotifiedEvent> = new Set([
  'push_to_merge_request',
  'issue_due',
  'success_pipeline',
])

/** Whether those who watch a place are told of it, without taking part. */
export function isWatched(event: NotifiedEvent): boolean {
  return !unwatched.has(event)
}

/**
 * Whether a user wants to be told. Subscribing overrides the level, and unsubscribing everything but
 * a mention.
 */
export function wantsNotification(
  { level, events }: AppliedLevel,
  event: NotifiedEvent,
  { types, unsubscribed }: { types: ReadonlySet<RecipientType>; unsubscribed: boolean },
): boolean {
  if (types.has('subscription') && !unsubscribed) return true
  const takesPart = types.has('participating') && event !== 'success_pipeline' && !unsubscribed
  const isChosen = Object.hasOwn(events, event) && events[event as NotificationEvent] === true
  switch (level) {
    case 'disabled':
      return false
    case 'mention':
      return types.has('mention')
    case 'participating':
      return types.has('mention') || takesPart
    case 'watch':
      return types.has('mention') || takesPart || (isWatched(event) && !unsubscribed)
    case 'custom':
      // Pipelines are told of by choice alone.
      return (
        types.has('mention') ||
        (takesPart && event !== 'failed_pipeline') ||
        (isChosen && !unsubscribed)
      )
  }
}
