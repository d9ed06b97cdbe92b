import type { NotificationLevel } from '@stithy/core'
import type { Generated } from 'kysely'

/** What somebody wants to hear of: everywhere, in a group or in a project. */
export interface NotificationSettingsTable {
  id: Generated<number>
  userId: number
  /** `global`, `group` or `project`. */
  scope: 'global' | 'group' | 'project'
  /** Id of the group or project; 0 for `global`. */
  scopeId: number
  level: NotificationLevel
  /** For `global` alone; null for the primary address. */
  email: string | null
  /** JSON: the events that are chosen, as `{ name: boolean }`. */
  events: Generated<string>
}
