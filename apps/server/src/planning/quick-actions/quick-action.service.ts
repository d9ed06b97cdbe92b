import { DomainError, type QuickAction, type QuickActionName } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import { tierAllows } from '../../platform/config/config.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { scanText } from '../../platform/text/scan-text.ts'
import { updateEpic } from '../epics/epic-update.service.ts'
import { updateIssue } from '../issues/issue-update.service.ts'
import type { ItemChange } from '../items/changes/item-change.ts'
import type { Item, PlannedItem, PlannedItemDraft } from '../items/item.ts'
import {
  type CommandContext,
  type CommandPermission,
  commandPermissions,
  type DeferredAction,
} from './action-context.ts'
import * as changes from './change-actions.ts'
import * as deferred from './deferred-actions.ts'
import { tagCommit } from './tag-commit.service.ts'

/** A supported command: its permission, its type of item and its handler. */
interface Action {
  needs: CommandPermission
  on?: PlannedItem['type']
  /** Whether it is supported on epics. */
  epics?: true
  /** Requires a paid tier. */
  paid?: true
  handle: changes.CommandHandler
}

/** The supported commands. Who may merge or approve is up to the services that do it. */
const actions: Partial<Record<QuickActionName, Action>> = {
  approve: { needs: 'read', on: 'merge_request', paid: true, handle: deferred.approve },
  assign: { needs: 'plan', handle: changes.assign },
  award: { needs: 'read', epics: true, handle: deferred.awardEmoji },
  child_epic: { needs: 'plan', on: 'epic', epics: true, handle: deferred.childEpic },
  clear_weight: { needs: 'plan', on: 'issue', paid: true, handle: changes.clearWeight },
  close: { needs: 'update', epics: true, handle: changes.close },
  confidential: { needs: 'update', on: 'issue', handle: changes.makeConfidential },
  copy_metadata: { needs: 'plan', handle: changes.copyMetadata },
  create_merge_request: { needs: 'plan', on: 'issue', handle: deferred.createRequest },
  done: { needs: 'read', epics: true, handle: deferred.finishTodo },
  draft: { needs: 'update', on: 'merge_request', handle: changes.toggleWorkInProgress },
  due: { needs: 'plan', on: 'issue', handle: changes.due },
  duplicate: { needs: 'plan', on: 'issue', handle: deferred.duplicate },
  epic: { needs: 'plan', on: 'issue', paid: true, handle: deferred.assignEpic },
  estimate: { needs: 'plan', handle: deferred.estimate },
  label: { needs: 'plan', epics: true, handle: changes.label },
  lock: { needs: 'plan', handle: changes.lock },
  merge: { needs: 'read', on: 'merge_request', handle: deferred.merge },
  milestone: { needs: 'plan', handle: changes.milestone },
  move: { needs: 'plan', on: 'issue', handle: deferred.move },
  parent_epic: { needs: 'plan', on: 'epic', epics: true, handle: deferred.parentEpic },
  promote: { needs: 'plan', on: 'issue', paid: true, handle: deferred.promote },
  reassign: { needs: 'plan', paid: true, handle: changes.reassign },
  relabel: { needs: 'plan', epics: true, handle: changes.relabel },
  relate: { needs: 'plan', on: 'issue', paid: true, handle: deferred.relate },
  remove_child_epic: { needs: 'plan', on: 'epic', epics: true, handle: deferred.removeChildEpic },
  remove_due_date: { needs: 'plan', on: 'issue', handle: changes.removeDueDate },
  remove_epic: { needs: 'plan', on: 'issue', paid: true, handle: deferred.removeEpic },
  remove_estimate: { needs: 'plan', handle: deferred.removeEstimate },
  remove_milestone: { needs: 'plan', handle: changes.removeMilestone },
  remove_time_spent: { needs: 'plan', handle: deferred.removeTimeSpent },
  remove_parent_epic: {
    needs: 'plan',
    on: 'epic',
    epics: true,
    handle: deferred.removeParentEpic,
  },
  reopen: { needs: 'update', epics: true, handle: changes.reopen },
  spend: { needs: 'plan', handle: deferred.spend },
  subscribe: { needs: 'read', epics: true, handle: deferred.subscribe },
  target_branch: { needs: 'update', on: 'merge_request', handle: changes.targetBranch },
  title: { needs: 'update', epics: true, handle: changes.title },
  todo: { needs: 'read', epics: true, handle: deferred.addTodo },
  unassign: { needs: 'plan', handle: changes.unassign },
  unlabel: { needs: 'plan', epics: true, handle: changes.unlabel },
  unlock: { needs: 'plan', handle: changes.unlock },
  unsubscribe: { needs: 'read', epics: true, handle: deferred.unsubscribe },
  weight: { needs: 'plan', on: 'issue', paid: true, handle: changes.weight },
  wip: { needs: 'update', on: 'merge_request', handle: changes.toggleWorkInProgress },
}

/** The maximum number of commands executed in one text. */
const maxCommands = 200

/** The result of executing the quick actions of a text. */
export interface QuickActionResult<T extends Item> {
  /** The text without the commands. */
  text: string
  /** How many commands had an effect. */
  appliedCount: number
  /** The item after the commands. */
  item: T
  /** To run with `runDeferredActions` after the note is written; empty if no text is left. */
  deferredActions: readonly DeferredAction[]
}

/**
 * Executes the quick actions of a note on behalf of the caller, who may read the item: with the
 * effects and under the policies of the corresponding endpoints. Changes of the item are one
 * update. Commands without permission or effect are removed from the text, too. In notes on
 * commits only `/tag` is supported; texts of snippets are left as they are.
 */
export async function runQuickActions<T extends Item>(
  app: App,
  caller: Caller,
  item: T,
  note: string,
): Promise<QuickActionResult<T>> {
  const unchanged = { appliedCount: 0, item, deferredActions: [] }
  if (item.type === 'snippet') return { text: note, ...unchanged }
  const { text, commands } = await scanText('splitQuickActions', note)
  if (commands.length === 0 || caller.user === null) return { text, ...unchanged }
  if (item.type === 'commit') {
    return { text, ...unchanged, appliedCount: await runOnCommit(app, caller, item, commands) }
  }
  const result = await runOnItem(app, caller, item, commands, text.trim() !== '')
  return { text, ...result, item: result.item as T }
}

async function runOnItem(
  app: App,
  caller: Caller,
  item: PlannedItem,
  commands: readonly QuickAction[],
  isNote: boolean,
): Promise<Omit<QuickActionResult<PlannedItem>, 'text'>> {
  const { change, changeCount, deferredActions } = await planQuickActions(
    app,
    caller,
    item,
    commands,
  )
  const after = changeCount === 0 ? item : await update(app, caller, item, change)
  const afterNote = isNote ? deferredActions.filter(({ followsNote }) => followsNote) : []
  const now = deferredActions.filter((deferredAction) => !afterNote.includes(deferredAction))
  const appliedCount = changeCount + (await runDeferredActions(now, after))
  return { appliedCount, item: after, deferredActions: afterNote }
}

/** The combined effect of commands. */
export interface QuickActionPlan {
  /** The change of the item, for one update. */
  change: ItemChange
  /** How many commands contribute to the change. */
  changeCount: number
  /** Actions to run after the update, in this order. */
  deferredActions: readonly DeferredAction[]
}

/**
 * Plans the commands that the caller may execute on an item, which may not be stored yet, and
 * changes unchanged. The caller of this function applies the change with the service of the item,
 * then calls `runDeferredActions`.
 */
export async function planQuickActions(
  app: App,
  caller: Caller,
  item: PlannedItemDraft,
  commands: readonly QuickAction[],
): Promise<QuickActionPlan> {
  const context: CommandContext = {
    app,
    caller,
    user: requireCaller(caller),
    item,
    change: {},
    deferredActions: [],
  }
  const permissions = commandPermissions(app, caller, item)
  let handled = 0
  for (const { name, argument } of commands.slice(0, maxCommands)) {
    const action = actions[name]
    if (action === undefined || !isApplicable(context, action) || !permissions.has(action.needs))
      continue
    if (await attempt(async () => action.handle(context, argument))) handled += 1
  }
  const { change, deferredActions } = context
  return { change, changeCount: handled - deferredActions.length, deferredActions }
}

/** Runs deferred actions; returns how many of them had an effect. */
export async function runDeferredActions(
  deferredActions: readonly DeferredAction[],
  item: PlannedItem,
): Promise<number> {
  let count = 0
  for (const deferredAction of deferredActions)
    if (await attempt(() => deferredAction.run(item))) count += 1
  return count
}

function isApplicable({ app, item }: CommandContext, { on, epics, paid }: Action): boolean {
  if (item.type === 'epic' && epics === undefined) return false
  if (on !== undefined && on !== item.type) return false
  return paid === undefined || tierAllows(app.config.tier, 'premium')
}

function update(
  app: App,
  caller: Caller,
  item: PlannedItem,
  change: ItemChange,
): Promise<PlannedItem> {
  switch (item.type) {
    case 'issue':
      return updateIssue(app, caller, item, change)
    case 'merge_request':
      return app.mergeRequests.update(app, caller, item, change)
    case 'epic':
      return updateEpic(app, caller, item, change)
  }
}

/** Whether the command had an effect; one that is refused is skipped. */
async function attempt(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}

async function runOnCommit(
  app: App,
  caller: Caller,
  item: Extract<Item, { type: 'commit' }>,
  commands: readonly QuickAction[],
): Promise<number> {
  let count = 0
  for (const { name, argument } of commands.slice(0, maxCommands)) {
    if (name === 'tag' && (await attempt(() => tagCommit(app, caller, item, argument)))) count += 1
  }
  return count
}
