import { z } from 'zod'

/** Notification levels; the numbers appear in the `permissions` of projects. */
export const notificationLevels = {
  disabled: 0,
  participating: 1,
  watch: 2,
  global: 3,
  mention: 4,
  custom: 5,
} as const
export type NotificationLevel = keyof typeof notificationLevels

/** Levels of the global setting, which can't be `global` itself. */
export const globalNotificationLevels = [
  'disabled',
  'participating',
  'watch',
  'mention',
  'custom',
] as const satisfies readonly NotificationLevel[]

/** Levels of a group or project. */
export const sourceNotificationLevels = [
  ...globalNotificationLevels,
  'global',
] as const satisfies readonly NotificationLevel[]

/** Events that can be chosen at level `custom`. */
export const notificationEvents = [
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'success_pipeline',
  'new_epic',
] as const
export type NotificationEvent = (typeof notificationEvents)[number]

const events = Object.fromEntries(notificationEvents.map((name) => [name, z.boolean()])) as Record<
  NotificationEvent,
  z.ZodBoolean
>

/** A user's notification setting for a group or project. */
export const NotificationSetting = z.object({
  level: z.enum(sourceNotificationLevels),
  /** At level `custom` only; `new_epic` does not exist in the community tier. */
  events: z.object({ ...events, new_epic: events.new_epic.optional() }).optional(),
})
export type NotificationSetting = z.output<typeof NotificationSetting>

/** A user's default for groups and projects without a setting of their own. */
export const GlobalNotificationSetting = NotificationSetting.extend({
  level: z.enum(globalNotificationLevels),
  notification_email: z.string(),
})
export type GlobalNotificationSetting = z.output<typeof GlobalNotificationSetting>
