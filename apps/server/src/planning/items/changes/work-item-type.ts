import type { Queries, Transaction } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { ChangeBy } from '../../../platform/changes/change.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { PlannedItem } from '../item.ts'
import type { ItemUpdate } from './item.changes.ts'
import type { ItemChange, StateEvent } from './item-change.ts'
import type { ItemField } from './item-field.ts'
import type { ItemPlan } from './item-plan.ts'
import type { PlanningAbility } from './permitted-settings.ts'

/** Who changes an item, and when. */
export type ItemChangeBy = ChangeBy & { userId: number }

/** How a type of item is changed: its fields, rows and states. */
export interface WorkItemType<I extends PlannedItem, More> {
  /** Undefined for items of groups: whoever may update them may set everything. */
  planningAbility?: PlanningAbility
  /** In the order of their system notes. */
  fields: readonly ItemField<I['row'], More>[]
  /** Plans what is specific to this type. @param after the item with its new texts and branch */
  planMore: (app: App, caller: Caller, item: I, after: I, change: ItemChange) => Promise<More>
  /** The state event if it can have an effect. */
  possibleEvent: (app: App, item: I, change: ItemChange) => Promise<StateEvent | undefined>
  /** Reads and locks the item until the transaction ends. @throws DomainError `not_found` */
  lock: (tx: Transaction, item: I) => Promise<I>
  /** The columns that say who changed the item, besides those that changed. */
  editor?: (changed: Partial<I['row']>, by: ItemChangeBy) => Partial<I['row']>
  save: (
    tx: Transaction,
    item: I,
    columns: Partial<I['row']>,
    plan: ItemPlan<More>,
    by: ItemChangeBy,
  ) => Promise<void>
  /** Undefined for items without assignees. */
  assignees?: {
    list: (q: Queries, item: I) => Promise<number[]>
    set: (tx: Transaction, item: I, userIds: readonly number[]) => Promise<void>
  }
  /** Closes and records it; undefined if the item is not open. */
  close: (tx: Transaction, item: I, by: ItemChangeBy) => Promise<I | undefined>
  reopen: (tx: Transaction, item: I, by: ItemChangeBy) => Promise<I | undefined>
  recordUpdate: (tx: Transaction, update: ItemUpdate<I> & ChangeBy) => Promise<void>
  /** Writes the type-specific part of the plan at the end of the transaction. */
  finish?: (tx: Transaction, item: I, plan: ItemPlan<More>) => Promise<void>
  /** Reads the item again. @throws DomainError `not_found` if it was deleted. */
  reload: (app: App, item: I) => Promise<I>
}

/** The editor of an item with texts: `updatedById` always, the rest for new texts. */
export function editorColumns(
  { title, description }: { title?: string | undefined; description?: string | null | undefined },
  { userId, at }: ItemChangeBy,
): { updatedById: number; lastEditedAt?: number; lastEditedById?: number } {
  const hasNewText = title !== undefined || description !== undefined
  const edited = { lastEditedAt: at, lastEditedById: userId }
  return { updatedById: userId, ...(hasNewText ? edited : {}) }
}

/** A copy of the item with some columns replaced. */
export function withColumns<I extends PlannedItem>(item: I, columns: Partial<I['row']>): I {
  return { ...item, row: { ...item.row, ...columns } }
}
