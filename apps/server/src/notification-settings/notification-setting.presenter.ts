import {
  type GlobalNotificationSetting,
  globalNotificationLevels,
  type NotificationEvent,
  type NotificationLevel,
  type NotificationSetting,
  notificationEvents,
} from '@stithy/core'
import { type Config, tierAllows } from '../config/config.ts'

/** What somebody hears of in one place. */
export interface Choice {
  level: NotificationLevel
  events: Readonly<Partial<Record<NotificationEvent, boolean>>>
}

/** What somebody hears of in a group or project (catalogue: users, Notification settings). */
export function presentChoice(config: Config, { level, events }: Choice): NotificationSetting {
  if (level !== 'custom') return { level }
  const withEpics = tierAllows(config.tier, 'premium')
  const shown = notificationEvents.filter((name) => withEpics || name !== 'new_epic')
  return {
    level,
    events: Object.fromEntries(shown.map((name) => [name, events[name] === true])) as NonNullable<
      NotificationSetting['events']
    >,
  }
}

/** What somebody hears of elsewhere; see `presentChoice`. */
export function presentGlobalChoice(
  config: Config,
  choice: Choice,
  email: string,
): GlobalNotificationSetting {
  const { level, ...rest } = presentChoice(config, choice)
  const shown = globalNotificationLevels.find((name) => name === level) ?? 'participating'
  return { level: shown, notification_email: email, ...rest }
}
