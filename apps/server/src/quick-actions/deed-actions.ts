import { humanDuration, parseDay, parseDuration } from '@stithy/core'
import type { Transaction } from '@stithy/store'
import { requireAwarding, toggleAward } from '../awards/award.service.ts'
import { linkIssues } from '../issue-links/issue-link.service.ts'
import { markDuplicate } from '../issues/issue-duplicate.service.ts'
import { moveIssue } from '../issues/issue-move.service.ts'
import type { IssueItem, WorkItem } from '../items/item.ts'
import { dayOf } from '../members/day.ts'
import { setSubscription } from '../subscriptions/subscription.service.ts'
import {
  addSpentTime,
  resetSpentTime,
  setEstimate,
} from '../time-tracking/time-tracking.service.ts'
import { addTodos, finishTodos } from '../todos/todo.service.ts'
import { itemsNamed } from './action-names.ts'
import type { Deed, Reading } from './action-reading.ts'
import type { ReadAction } from './change-actions.ts'
import { createRequestFor } from './create-request.service.ts'

/** Puts something off until the item is changed. */
function later(reading: Reading, run: Deed['run']): true {
  reading.deeds.push({ run })
  return true
}

/** `later` for what only issues can do. */
function laterOnIssue(reading: Reading, deed: (issue: IssueItem) => Promise<boolean>): true {
  return later(reading, async (item) => item.type === 'issue' && deed(item))
}

/** Runs a deed that is one write. */
function inTransaction(
  { app }: Reading,
  write: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  return app.db.transaction(write)
}

export const estimate: ReadAction = (reading, argument) => {
  const seconds = parseDuration(argument)
  if (seconds === undefined || seconds < 0) return false
  return later(reading, async (item) => {
    await setEstimate(reading.app, reading.caller, item, seconds)
    return true
  })
}

export const removeEstimate: ReadAction = (reading) => estimate(reading, '0')

const spent = /^(.*?)(?:[ \t]+(\d{4}-\d{1,2}-\d{1,2}))?$/

/** `/spend 2h 2019-03-11`: a time and, where it is not today, the day, which is none to come. */
export const spend: ReadAction = (reading, argument) => {
  const [, time = '', day] = spent.exec(argument) ?? []
  const seconds = parseDuration(time)
  const today = dayOf(reading.app.now())
  const on = day === undefined ? undefined : parseDay(day, today)
  if (seconds === undefined || humanDuration(Math.abs(seconds)) === null) return false
  if (day !== undefined && (on === undefined || on > today)) return false
  return later(reading, async (item) => {
    await addSpentTime(reading.app, reading.caller, item, seconds, { on })
    return true
  })
}

export const removeTimeSpent: ReadAction = (reading) =>
  later(reading, async (item) => {
    await resetSpentTime(reading.app, reading.caller, item)
    return true
  })

/** Whoever comments has nothing to do about the item any more, so this comes after a comment. */
export const addTodo: ReadAction = (reading) => {
  const run: Deed['run'] = (item) =>
    inTransaction(reading, async (tx) => {
      const { id } = reading.user
      const draft = { item, userIds: [id], authorId: id, at: reading.app.now() }
      return (await addTodos(tx, { ...draft, action: 'marked' })).length > 0
    })
  reading.deeds.push({ run, followsNote: true })
  return true
}

export const finishTodo: ReadAction = (reading) =>
  later(reading, (item) => inTransaction(reading, (tx) => finishOwn(reading, tx, item)))

function finishOwn({ app, user }: Reading, tx: Transaction, item: WorkItem): Promise<boolean> {
  return finishTodos(tx, { item, userId: user.id, at: app.now() })
}

export const subscribe: ReadAction = (reading) => later(reading, choose(reading, true))

export const unsubscribe: ReadAction = (reading) => later(reading, choose(reading, false))

function choose(reading: Reading, subscribed: boolean): Deed['run'] {
  const { app, user } = reading
  return ({ type, row }) =>
    inTransaction(reading, (tx) =>
      setSubscription(tx, { type, id: row.id }, user.id, subscribed, app.now()),
    )
}

/** Awards an emoji or takes it back; what the caller had to do about the item is done with it. */
export const awardEmoji: ReadAction = (reading, argument) => {
  const name = /^:?([\w+-]+):?$/.exec(argument)?.[1]
  if (name === undefined) return false
  return later(reading, async (item) => {
    requireAwarding(reading.caller, item)
    await toggleAward(reading.app, reading.caller, item, name)
    await inTransaction(reading, (tx) => finishOwn(reading, tx, item))
    return true
  })
}

export const relate: ReadAction = async (reading, argument) => {
  const others = (await itemsNamed(reading, argument)).filter((item) => item.type === 'issue')
  if (others.length === 0) return false
  return laterOnIssue(reading, async (issue) => {
    for (const other of others) await linkIssues(reading.app, reading.caller, issue, other)
    return true
  })
}

export const duplicate: ReadAction = async (reading, argument) => {
  const original = (await itemsNamed(reading, argument)).find((item) => item.type === 'issue')
  if (original === undefined || original.row.id === reading.item.row.id) return false
  if (original.project.facts.archived) return false
  return laterOnIssue(reading, async (issue) => {
    await markDuplicate(reading.app, reading.caller, issue, original)
    return true
  })
}

export const move: ReadAction = (reading, argument) => {
  const path = argument.replace(/^\/|\/$/g, '')
  if (!path.includes('/')) return false
  return laterOnIssue(reading, async (issue) => {
    await moveIssue(reading.app, reading.caller, issue, path)
    return true
  })
}

export const createRequest: ReadAction = (reading, argument) =>
  laterOnIssue(reading, async (issue) => {
    await createRequestFor(reading.app, reading.caller, issue, argument)
    return true
  })
