import { z } from 'zod'

/** What somebody hears of; the numbers stand in the `permissions` of projects (catalogue: users). */
export const notificationLevels = {
  disabled: 0,
  participating: 1,
  watch: 2,
  global: 3,
  mention: 4,
  custom: 5,
} as const
export type NotificationLevel = keyof typeof notificationLevels

/** The levels of what everything else falls back to: `global` would fall back to itself. */
export const globalNotificationLevels = [
  'disabled',
  'participating',
  'watch',
  'mention',
  'custom',
] as const satisfies readonly NotificationLevel[]

/** The levels of a group or project. */
export const sourceNotificationLevels = [
  ...globalNotificationLevels,
  'global',
] as const satisfies readonly NotificationLevel[]

/** What may be chosen at level `custom`. */
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

/** What the caller wants to hear of in a group or project. */
export const NotificationSetting = z.object({
  level: z.enum(sourceNotificationLevels),
  /** At level `custom` alone; `new_epic` is not in the community tier. */
  events: z.object({ ...events, new_epic: events.new_epic.optional() }).optional(),
})
export type NotificationSetting = z.output<typeof NotificationSetting>

/** What the caller wants to hear of where no group or project says otherwise. */
export const GlobalNotificationSetting = NotificationSetting.extend({
  level: z.enum(globalNotificationLevels),
  notification_email: z.string(),
})
export type GlobalNotificationSetting = z.output<typeof GlobalNotificationSetting>
