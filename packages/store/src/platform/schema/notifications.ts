import type { Generated } from 'kysely'

/** A user's notification settings: global, for a group or for a project. */
export interface NotificationSettingsTable {
  id: Generated<number>
  userId: number
  scope: 'global' | 'group' | 'project'
  /** Id of the group or project; 0 for `global`. */
  scopeId: number
  /** The number of a `NotificationLevel`. */
  level: number
  /** JSON: the events of the custom level, as `{ name: boolean }`. */
  events: Generated<string>
}
