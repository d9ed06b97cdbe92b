import type { Generated } from 'kysely'

/** What somebody wants to hear of: everywhere, in a group or in a project. */
export interface NotificationSettingsTable {
  id: Generated<number>
  userId: number
  scope: 'global' | 'group' | 'project'
  /** Id of the group or project; 0 for `global`. */
  scopeId: number
  /** The number of a `NotificationLevel`. */
  level: number
  /** JSON: the events that are chosen, as `{ name: boolean }`. */
  events: Generated<string>
}
