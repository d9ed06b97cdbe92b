import {
  type NotificationEvent,
  type NotificationLevel,
  notificationEvents,
  notificationLevels,
  validationFailed,
} from '@stithy/core'
import {
  findNotificationSetting,
  findUser,
  fromJsonText,
  type NotificationPlace,
  type Queries,
  saveNotificationSetting,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { CallerUser } from '../authentication/caller.ts'
import type { Caller } from '../http/call.ts'
import { requireCaller } from '../projects/require-caller.ts'
import type { Choice } from './notification-setting.presenter.ts'

/** What is to be changed of a choice. */
export interface ChoiceInput extends Partial<Record<NotificationEvent, boolean | undefined>> {
  level?: NotificationLevel | undefined
}

/** The place of the caller's own settings. */
export function placeOf(
  caller: Caller,
  scope: NotificationPlace['scope'],
  scopeId = 0,
): NotificationPlace {
  return { userId: requireCaller(caller).id, scope, scopeId }
}

/** What counts while nobody chose anything (catalogue: users, Notification settings). */
function defaultOf({ scope }: NotificationPlace): Choice {
  return { level: scope === 'global' ? 'participating' : 'global', events: {} }
}

const levelNames = new Map<number, NotificationLevel>(
  Object.entries(notificationLevels).map(([name, number]) => [number, name as NotificationLevel]),
)

/** What the user of the place chose there, or what counts without that. One query. */
export async function findChoice(q: Queries, place: NotificationPlace): Promise<Choice> {
  const row = await findNotificationSetting(q, place)
  const byDefault = defaultOf(place)
  if (row === undefined) return byDefault
  return {
    level: levelNames.get(row.level) ?? byDefault.level,
    events: fromJsonText<Choice['events']>(row.events),
  }
}

/** Changes what is sent of a choice, keeps the rest, and answers it. */
export async function changeChoice(
  app: App,
  place: NotificationPlace,
  { level, ...input }: ChoiceInput,
): Promise<Choice> {
  return app.db.transaction(async (tx) => {
    const before = await findChoice(tx, place)
    const sent = notificationEvents.filter((name) => input[name] !== undefined)
    const chosen = Object.fromEntries(sent.map((name) => [name, input[name] === true]))
    const after = { level: level ?? before.level, events: { ...before.events, ...chosen } }
    const saved = { level: notificationLevels[after.level], events: after.events }
    await saveNotificationSetting(tx, place, saved)
    return after
  })
}

/**
 * Holds the address for notifications to those that the user has: the primary one, once it is confirmed.
 * An empty one stands for it. @throws DomainError `validation_failed`
 */
export async function checkAddress(
  app: App,
  user: CallerUser,
  address: string | undefined,
): Promise<void> {
  if (address === undefined || address === '') return
  const row = await findUser(app.db, user.id)
  if (row?.emailLower === address.toLowerCase() && row.confirmedAt !== null) return
  throw validationFailed({ notification_email: ['is not an email you own'] })
}
