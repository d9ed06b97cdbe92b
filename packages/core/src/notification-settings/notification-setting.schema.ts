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
