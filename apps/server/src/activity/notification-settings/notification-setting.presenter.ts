import {
  type GlobalNotificationSetting,
  globalNotificationLevels,
  type NotificationEvent,
  type NotificationLevel,
  type NotificationSetting,
  notificationEvents,
} from '@stithy/core'
import { type Config, tierAllows } from '../../platform/config/config.ts'

/** The settings of a user at one scope. */
export interface Choice {
  level: NotificationLevel
  events: Readonly<Partial<Record<NotificationEvent, boolean>>>
}

/** Presents the notification settings of a group or project. */
export function presentChoice(config: Config, { level, events }: Choice): NotificationSetting {
  if (level !== 'custom') return { level }
  const withEpics = tierAllows(config.tier, 'premium')
  const names = notificationEvents.filter((name) => withEpics || name !== 'new_epic')
  return {
    level,
    events: Object.fromEntries(names.map((name) => [name, events[name] === true])) as NonNullable<
      NotificationSetting['events']
    >,
  }
}

/** Presents the global notification settings; see `presentChoice`. */
export function presentGlobalChoice(
  config: Config,
  choice: Choice,
  email: string,
): GlobalNotificationSetting {
  const { level, ...rest } = presentChoice(config, choice)
  const globalLevel = globalNotificationLevels.find((name) => name === level) ?? 'participating'
  return { level: globalLevel, notification_email: email, ...rest }
}
