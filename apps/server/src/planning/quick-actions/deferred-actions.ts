import { humanDuration, parseDay, parseDuration } from '@stithy/core'
import type { Transaction } from '@stithy/store'
import { dayOf } from '../../platform/calendar/day.ts'
import { mayAward, toggleAward } from '../awards/award.service.ts'
import { linkIssues } from '../issue-links/issue-link.service.ts'
import { markDuplicate } from '../issues/issue-duplicate.service.ts'
import { moveIssue } from '../issues/issue-move.service.ts'
import {
  type EpicItem,
  type IssueItem,
  isStored,
  type MergeRequestItem,
  type PlannedItem,
  type WorkItem,
} from '../items/item.ts'
import { setSubscription } from '../subscriptions/subscription.service.ts'
import {
  addSpentTime,
  resetSpentTime,
  setEstimate,
} from '../time-tracking/time-tracking.service.ts'
import { addTodos, finishTodos } from '../todos/todo.service.ts'
import { resolveEpic, resolveItems } from './action-arguments.ts'
import type { CommandContext, DeferredAction } from './action-context.ts'
import type { CommandHandler } from './change-actions.ts'

/** Defers an action until the item is changed. */
function defer(context: CommandContext, run: DeferredAction['run']): true {
  context.deferredActions.push({ run })
  return true
}

/** `defer` for actions on issues and merge requests only. */
function deferOnWorkItem(
  context: CommandContext,
  deferredAction: (item: WorkItem) => Promise<boolean>,
): true {
  return defer(context, async (item) => item.type !== 'epic' && deferredAction(item))
}

/** `defer` for actions on issues only. */
function deferOnIssue(
  context: CommandContext,
  deferredAction: (issue: IssueItem) => Promise<boolean>,
): true {
  return defer(context, async (item) => item.type === 'issue' && deferredAction(item))
}

/** `defer` for actions on epics only. */
function deferOnEpic(
  context: CommandContext,
  deferredAction: (epic: EpicItem) => Promise<boolean>,
): true {
  return defer(context, async (item) => item.type === 'epic' && deferredAction(item))
}

/** `defer` for actions on merge requests only. */
function deferOnMergeRequest(
  context: CommandContext,
  deferredAction: (request: MergeRequestItem) => Promise<boolean>,
): true {
  return defer(context, async (item) => item.type === 'merge_request' && deferredAction(item))
}

/** Runs a deferred action in a transaction. */
function inTransaction(
  { app }: CommandContext,
  write: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  return app.db.transaction(write)
}

export const estimate: CommandHandler = (context, argument) => {
  const seconds = parseDuration(argument)
  if (seconds === undefined || seconds < 0) return false
  return deferOnWorkItem(context, async (item) => {
    await setEstimate(context.app, context.caller, item, seconds)
    return true
  })
}

export const removeEstimate: CommandHandler = (context) => estimate(context, '0')

/** `/spend 2h 2019-03-11`: a duration and a date, by default today, not in the future. */
export const spend: CommandHandler = (context, argument) => {
  const { time, day } = splitSpent(argument)
  const seconds = parseDuration(time)
  const today = dayOf(context.app.now())
  const on = day === undefined ? undefined : parseDay(day, today)
  if (seconds === undefined || humanDuration(Math.abs(seconds)) === null) return false
  if (day !== undefined && (on === undefined || on > today)) return false
  return deferOnWorkItem(context, async (item) => {
    await addSpentTime(context.app, context.caller, item, seconds, { on })
    return true
  })
}

/** The last word may be a day. */
function splitSpent(argument: string): { time: string; day: string | undefined } {
  const end = Math.max(argument.lastIndexOf(' '), argument.lastIndexOf('\t')) + 1
  const day = argument.slice(end)
  if (!/^\d{4}-\d{1,2}-\d{1,2}$/.test(day)) return { time: argument, day: undefined }
  return { time: argument.slice(0, end).trimEnd(), day }
}

export const removeTimeSpent: CommandHandler = (context) =>
  deferOnWorkItem(context, async (item) => {
    await resetSpentTime(context.app, context.caller, item)
    return true
  })

/** A comment marks the user's todos about the item as done, so this runs after the note. */
export const addTodo: CommandHandler = (context) => {
  const run: DeferredAction['run'] = (item) =>
    inTransaction(context, async (tx) => {
      const { id } = context.user
      const draft = { item, userIds: [id], authorId: id, at: context.app.now() }
      return (await addTodos(tx, { ...draft, action: 'marked' })).length > 0
    })
  context.deferredActions.push({ run, followsNote: true })
  return true
}

export const finishTodo: CommandHandler = (context) =>
  defer(context, (item) => inTransaction(context, (tx) => finishOwnTodos(context, tx, item)))

function finishOwnTodos(
  { app, user }: CommandContext,
  tx: Transaction,
  item: PlannedItem,
): Promise<boolean> {
  return finishTodos(tx, { item, userId: user.id, at: app.now() })
}

export const subscribe: CommandHandler = (context) =>
  defer(context, changeSubscription(context, true))

export const unsubscribe: CommandHandler = (context) =>
  defer(context, changeSubscription(context, false))

function changeSubscription(context: CommandContext, subscribed: boolean): DeferredAction['run'] {
  const { app, user } = context
  return ({ type, row }) =>
    inTransaction(context, (tx) =>
      setSubscription(tx, { type, id: row.id }, user.id, subscribed, app.now()),
    )
}

/** Toggles an award, and marks the user's todos about the item as done. */
export const awardEmoji: CommandHandler = (context, argument) => {
  const name = /^:?([\w+-]+):?$/.exec(argument)?.[1]
  if (name === undefined) return false
  return defer(context, async (item) => {
    if (!mayAward(context.app, context.caller, item)) return false
    await toggleAward(context.app, context.caller, item, name)
    await inTransaction(context, (tx) => finishOwnTodos(context, tx, item))
    return true
  })
}

export const relate: CommandHandler = async (context, argument) => {
  const others = (await resolveItems(context, argument)).filter((item) => item.type === 'issue')
  if (others.length === 0) return false
  return deferOnIssue(context, async (issue) => {
    for (const other of others) await linkIssues(context.app, context.caller, issue, other)
    return true
  })
}

export const assignEpic: CommandHandler = async (context, argument) => {
  const epic = await resolveEpic(context, argument)
  if (epic === undefined) return false
  return deferOnIssue(context, async (issue) => {
    await context.app.epicActions.assignIssue(context.app, context.caller, epic, issue)
    return true
  })
}

export const removeEpic: CommandHandler = (context) =>
  deferOnIssue(context, (issue) =>
    context.app.epicActions.removeIssue(context.app, context.caller, issue),
  )

export const promote: CommandHandler = (context) =>
  deferOnIssue(context, async (issue) => {
    await context.app.epicActions.promote(context.app, context.caller, issue)
    return true
  })

/** Defers what is done with this epic and the one in the argument. */
function withOtherEpic(
  act: (context: CommandContext, epic: EpicItem, other: EpicItem) => Promise<void>,
): CommandHandler {
  return async (context, argument) => {
    const other = await resolveEpic(context, argument)
    if (other === undefined) return false
    return deferOnEpic(context, async (epic) => {
      await act(context, epic, other)
      return true
    })
  }
}

export const childEpic = withOtherEpic(({ app, caller }, epic, child) =>
  app.epicActions.assignChild(app, caller, epic, child),
)

export const removeChildEpic = withOtherEpic(({ app, caller }, epic, child) =>
  app.epicActions.removeChild(app, caller, epic, child),
)

export const parentEpic = withOtherEpic(({ app, caller }, epic, parent) =>
  app.epicActions.assignChild(app, caller, parent, epic),
)

export const removeParentEpic: CommandHandler = (context) =>
  deferOnEpic(context, (epic) =>
    context.app.epicActions.removeParent(context.app, context.caller, epic),
  )

export const duplicate: CommandHandler = async (context, argument) => {
  const original = (await resolveItems(context, argument)).find((item) => item.type === 'issue')
  if (original === undefined || isItself(context, original)) return false
  if (original.project.facts.archived) return false
  return deferOnIssue(context, async (issue) => {
    await markDuplicate(context.app, context.caller, issue, original)
    return true
  })
}

function isItself({ item }: CommandContext, { row }: WorkItem): boolean {
  return isStored(item) && item.row.id === row.id
}

export const move: CommandHandler = (context, argument) => {
  const path = argument.replace(/^\/|\/$/g, '')
  if (!path.includes('/')) return false
  return deferOnIssue(context, async (issue) => {
    await moveIssue(context.app, context.caller, issue, path)
    return true
  })
}

export const createRequest: CommandHandler = (context, argument) =>
  deferOnIssue(context, async (issue) => {
    const { app, caller } = context
    await app.mergeRequests.createForIssue(app, caller, issue, argument)
    return true
  })

export const merge: CommandHandler = (context) =>
  deferOnMergeRequest(context, (request) => {
    const { app, caller } = context
    return app.mergeRequests.merge(app, caller, request)
  })

export const approve: CommandHandler = (context) =>
  deferOnMergeRequest(context, async (request) => {
    const { app, caller } = context
    await app.mergeRequests.approve(app, caller, request)
    return true
  })
