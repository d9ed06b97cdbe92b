import {
  DomainError,
  type QuickAction,
  type QuickActionName,
  splitQuickActions,
} from '@stithy/core'
import type { App } from '../app.ts'
import { tierAllows } from '../config/config.ts'
import type { Caller } from '../http/call.ts'
import { updateIssue } from '../issues/issue-update.service.ts'
import type { Item, WorkItem } from '../items/item.ts'
import { updateMergeRequest } from '../merge-requests/merge-request-update.service.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { type Deed, type ItemChange, type Reading, type Right, rightsOn } from './action-reading.ts'
import * as changes from './change-actions.ts'
import * as doings from './deed-actions.ts'
import { tagCommit } from './tag-commit.service.ts'

/** A command: what it needs, what it is for, and how it is read. */
interface Action {
  needs: Right
  on?: WorkItem['type']
  /** Of a paid tier. */
  paid?: true
  read: changes.ReadAction
}

/**
 * The commands that can be carried out (catalogue: issues, 8). Those of epics, merging and approving are taken
 * out of texts like the others, and do nothing as long as nobody can do them otherwise.
 */
const actions: Partial<Record<QuickActionName, Action>> = {
  assign: { needs: 'plan', read: changes.assign },
  award: { needs: 'read', read: doings.awardEmoji },
  clear_weight: { needs: 'plan', on: 'issue', paid: true, read: changes.clearWeight },
  close: { needs: 'update', read: changes.close },
  confidential: { needs: 'update', on: 'issue', read: changes.makeConfidential },
  copy_metadata: { needs: 'plan', read: changes.copyMetadata },
  create_merge_request: { needs: 'plan', on: 'issue', read: doings.createRequest },
  done: { needs: 'read', read: doings.finishTodo },
  due: { needs: 'plan', on: 'issue', read: changes.due },
  duplicate: { needs: 'plan', on: 'issue', read: doings.duplicate },
  estimate: { needs: 'plan', read: doings.estimate },
  label: { needs: 'plan', read: changes.label },
  lock: { needs: 'plan', read: changes.lock },
  milestone: { needs: 'plan', read: changes.milestone },
  move: { needs: 'plan', on: 'issue', read: doings.move },
  reassign: { needs: 'plan', paid: true, read: changes.reassign },
  relabel: { needs: 'plan', read: changes.relabel },
  relate: { needs: 'plan', on: 'issue', paid: true, read: doings.relate },
  remove_due_date: { needs: 'plan', on: 'issue', read: changes.removeDueDate },
  remove_estimate: { needs: 'plan', read: doings.removeEstimate },
  remove_milestone: { needs: 'plan', read: changes.removeMilestone },
  remove_time_spent: { needs: 'plan', read: doings.removeTimeSpent },
  reopen: { needs: 'update', read: changes.reopen },
  spend: { needs: 'plan', read: doings.spend },
  subscribe: { needs: 'read', read: doings.subscribe },
  target_branch: { needs: 'update', on: 'merge_request', read: changes.targetBranch },
  title: { needs: 'update', read: changes.title },
  todo: { needs: 'read', read: doings.addTodo },
  unassign: { needs: 'plan', read: changes.unassign },
  unlabel: { needs: 'plan', read: changes.unlabel },
  unlock: { needs: 'plan', read: changes.unlock },
  unsubscribe: { needs: 'read', read: doings.unsubscribe },
  weight: { needs: 'plan', on: 'issue', paid: true, read: changes.weight },
  wip: { needs: 'update', on: 'merge_request', read: changes.toggleWorkInProgress },
}

/** More commands of one text are left alone. */
const mostCommands = 200

/** What became of a text. */
export interface RanActions<T extends Item> {
  /** What is left of it. */
  text: string
  /** How many commands did something. */
  ran: number
  /** The item as they left it. */
  item: T
  /** What comes after the note that the rest of the text becomes, by `runDeeds`; empty where nothing is left. */
  afterwards: readonly Deed[]
}

/**
 * Carries out the quick actions of a note (catalogue: issues, 8) in the name of the caller, who may read the
 * item: what the endpoints would do, under the same policy. What changes the item is one update. Commands
 * that the caller may not run, or that can do nothing, are taken out of the text all the same. In notes on
 * commits `/tag` is the only one; texts of snippets are left as they are.
 */
export async function runQuickActions<T extends Item>(
  app: App,
  caller: Caller,
  item: T,
  written: string,
): Promise<RanActions<T>> {
  const nothing = { ran: 0, item, afterwards: [] }
  if (item.type === 'snippet') return { text: written, ...nothing }
  const { text, commands } = splitQuickActions(written)
  if (commands.length === 0 || caller.user === null) return { text, ...nothing }
  if (item.type === 'epic') return { text, ...nothing }
  if (item.type === 'commit') {
    return { text, ...nothing, ran: await runOnCommit(app, caller, item, commands) }
  }
  const done = await runOnItem(app, caller, item, commands, text.trim() !== '')
  return { text, ...done, item: done.item as T }
}

async function runOnItem(
  app: App,
  caller: Caller,
  item: WorkItem,
  commands: readonly QuickAction[],
  isNote: boolean,
): Promise<Omit<RanActions<WorkItem>, 'text'>> {
  const { change, changing, deeds } = await readQuickActions(app, caller, item, commands)
  const after = changing === 0 ? item : await update(app, caller, item, change)
  const afterwards = isNote ? deeds.filter(({ followsNote }) => followsNote) : []
  const now = deeds.filter((deed) => !afterwards.includes(deed))
  return { ran: changing + (await runDeeds(now, after)), item: after, afterwards }
}

/** What commands add up to. */
export interface ReadActions {
  /** What is to be changed of the item, in one go. */
  change: ItemChange
  /** How many of the commands change it. */
  changing: number
  /** What is to be done once it is changed, in this order. */
  deeds: readonly Deed[]
}

/**
 * Reads the commands that the caller may run on an item, which need not be written yet, and changes nothing.
 * Whoever asks does what they say: the change by the service of the item, then `runDeeds`.
 */
export async function readQuickActions(
  app: App,
  caller: Caller,
  item: WorkItem,
  commands: readonly QuickAction[],
): Promise<ReadActions> {
  const reading: Reading = { app, caller, user: requireCaller(caller), item, change: {}, deeds: [] }
  const rights = rightsOn(caller, item)
  let read = 0
  for (const { name, argument } of commands.slice(0, mostCommands)) {
    const action = actions[name]
    if (action === undefined || !isFor(reading, action) || !rights.has(action.needs)) continue
    if (await attempt(async () => action.read(reading, argument))) read += 1
  }
  const { change, deeds } = reading
  return { change, changing: read - deeds.length, deeds }
}

/** Does what commands ask for beside the change; answers how many of them did something. */
export async function runDeeds(deeds: readonly Deed[], item: WorkItem): Promise<number> {
  let ran = 0
  for (const deed of deeds) if (await attempt(() => deed.run(item))) ran += 1
  return ran
}

function isFor({ app, item }: Reading, { on, paid }: Action): boolean {
  if (on !== undefined && on !== item.type) return false
  return paid === undefined || tierAllows(app.config.tier, 'premium')
}

function update(app: App, caller: Caller, item: WorkItem, change: ItemChange): Promise<WorkItem> {
  return item.type === 'issue'
    ? updateIssue(app, caller, item, change)
    : updateMergeRequest(app, caller, item, change)
}

/** Whether something was done: what a rule is against is not, and the text goes on without it. */
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
  let ran = 0
  for (const { name, argument } of commands.slice(0, mostCommands)) {
    if (name === 'tag' && (await attempt(() => tagCommit(app, caller, item, argument)))) ran += 1
  }
  return ran
}
