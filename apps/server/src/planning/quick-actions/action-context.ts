import { decideOnProject } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import type { ItemChange } from '../items/changes/item-change.ts'
import type { PlannedItem, PlannedItemDraft, WorkItemDraft } from '../items/item.ts'
import { mayUpdateItem } from '../items/item-access.ts'

/** An action that runs on its own, after the change of the item. */
export interface DeferredAction {
  /** Returns whether it had an effect. */
  run: (item: PlannedItem) => Promise<boolean>
  /** Whether it must run after the note is written, because the note would undo it. */
  followsNote?: true
}

/** The state while commands are planned one after the other. */
export interface CommandContext {
  app: App
  caller: Caller
  user: CallerUser
  /** May not be stored yet. */
  item: PlannedItemDraft
  /** The accumulated change of the commands so far. */
  change: ItemChange
  deferredActions: DeferredAction[]
}

/**
 * The permission that a command requires: `update`, to change the item; `plan`, the level of a
 * reporter, or of a developer on merge requests; `read`, for everyone who may read it.
 */
export type CommandPermission = 'update' | 'plan' | 'read'

/** The permissions of a caller on an item that they may read. */
export function commandPermissions(
  app: App,
  caller: Caller,
  item: PlannedItemDraft,
): ReadonlySet<CommandPermission> {
  const permissions = new Set<CommandPermission>(['read'])
  const mayUpdate = mayUpdateItem(app, item, caller)
  if (mayUpdate) permissions.add('update')
  if (item.type === 'epic' ? mayUpdate : mayPlan(caller, item)) permissions.add('plan')
  return permissions
}

function mayPlan(caller: Caller, { type, project }: WorkItemDraft): boolean {
  const planning = type === 'issue' ? 'admin_issues' : 'admin_merge_requests'
  return decideOnProject(planning, caller.facts, project.facts).allowed
}
