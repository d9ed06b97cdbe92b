import {
  type NotificationEvent,
  type NotificationLevel,
  notificationEvents,
  notificationLevels,
} from '@stithy/core'
import {
  findNotificationSetting,
  fromJsonText,
  type NotificationScope,
  type Queries,
  saveNotificationSetting,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import type { Choice } from './notification-setting.presenter.ts'

/** Settings to change. */
export interface ChoiceInput extends Partial<Record<NotificationEvent, boolean | undefined>> {
  level?: NotificationLevel | undefined
}

/** The scope of the caller's global settings. */
export function scopeOf(
  caller: Caller,
  scope: NotificationScope['scope'],
  scopeId = 0,
): NotificationScope {
  return { userId: requireCaller(caller).id, scope, scopeId }
}

/** The settings of a user who never changed them. */
function defaultOf({ scope }: NotificationScope): Choice {
  return { level: scope === 'global' ? 'participating' : 'global', events: {} }
}

const levelNames = new Map<number, NotificationLevel>(
  Object.entries(notificationLevels).map(([name, number]) => [number, name as NotificationLevel]),
)

/** Loads the settings that the user stored for the scope, or the defaults. One query. */
export async function findChoice(q: Queries, scope: NotificationScope): Promise<Choice> {
  const row = await findNotificationSetting(q, scope)
  const byDefault = defaultOf(scope)
  if (row === undefined) return byDefault
  return {
    level: levelNames.get(row.level) ?? byDefault.level,
    events: fromJsonText<Choice['events']>(row.events),
  }
}

/**
 * Updates the settings that are sent, keeps the others, and returns the result. `write` runs in the
 * same transaction.
 */
export async function changeChoice(
  app: App,
  scope: NotificationScope,
  { level, ...input }: ChoiceInput,
  write: (tx: Transaction) => Promise<void> = async () => {},
): Promise<Choice> {
  return app.db.transaction(async (tx) => {
    await write(tx)
    const before = await findChoice(tx, scope)
    const sent = notificationEvents.filter((name) => input[name] !== undefined)
    const chosen = Object.fromEntries(sent.map((name) => [name, input[name] === true]))
    const after = { level: level ?? before.level, events: { ...before.events, ...chosen } }
    const saved = { level: notificationLevels[after.level], events: after.events }
    await saveNotificationSetting(tx, scope, saved)
    return after
  })
}
