import { conflict } from '@stithy/core'
import type { Transaction } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { tierAllows } from '../../../platform/config/config.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { requireCaller } from '../../../platform/http/require-caller.ts'
import type { PlannedItem } from '../item.ts'
import { type Assigned, assigneeNotes, nextAssignees } from './item-assignees.ts'
import type { ItemChange } from './item-change.ts'
import { changedColumns } from './item-field.ts'
import { applyLabelSteps } from './item-labels.ts'
import type { ItemPlan } from './item-plan.ts'
import { planItemChange } from './plan-item-change.ts'
import { type ItemChangeBy, type WorkItemType, withColumns } from './work-item-type.ts'

/**
 * Changes an issue, merge request or epic that the caller may update, and returns it as stored
 * afterwards. Ignores settings that the caller may not set. The change is planned without locks,
 * then written in one transaction with everything that follows from it (`app/effects/`).
 * @param options.at milliseconds; the time of the system notes and `updated_at`, if an owner sets
 *   one.
 * @throws DomainError `validation_failed`; `conflict` if someone else changed the title or
 *   description concurrently; `not_found` if the item was deleted; and what the type of item
 *   throws.
 */
export async function changeItem<I extends PlannedItem, More>(
  app: App,
  caller: Caller,
  type: WorkItemType<I, More>,
  item: I,
  requested: ItemChange,
  options: { at?: number | undefined } = {},
): Promise<I> {
  const plan = await planItemChange(app, caller, type, item, requested)
  const event = await type.possibleEvent(app, item, plan.change)
  const now = app.now()
  const by = { userId: requireCaller(caller).id, at: options.at ?? now, now }
  const allowsMultiple = tierAllows(app.config.tier, 'premium')
  await app.db.transaction(async (tx) => {
    const current = await type.lock(tx, item)
    requireSameTexts(item, current, plan)
    const transitioned = event === undefined ? undefined : await type[event](tx, current, by)
    await applyFields(tx, type, transitioned ?? current, plan, by, allowsMultiple)
    await type.finish?.(tx, item, plan)
  })
  return type.reload(app, item)
}

/**
 * @throws DomainError `conflict` if the change would overwrite a text that is newer than the one
 *   that was read.
 */
function requireSameTexts(
  { row: previous }: PlannedItem,
  { row }: PlannedItem,
  { change }: ItemPlan,
): void {
  if (change.title === undefined && change.description === undefined) return
  if (row.title === previous.title && row.description === previous.description) return
  throw conflict('409 Conflict: Resource lock')
}

/** Applies everything but the state; writes nothing if nothing changes. */
async function applyFields<I extends PlannedItem, More>(
  tx: Transaction,
  type: WorkItemType<I, More>,
  item: I,
  plan: ItemPlan<More>,
  by: ItemChangeBy,
  allowsMultiple: boolean,
): Promise<void> {
  const assigned = await applyAssignees(tx, type, item, plan, allowsMultiple)
  const previousLabelIds = await applyLabelSteps(tx, item, plan.labels, by)
  const columns = changedColumns(type.fields, plan, item.row as I['row'])
  const isSame = assigned === undefined && previousLabelIds === undefined
  if (isSame && Object.keys(columns).length === 0) return
  const count = assigned === undefined ? {} : { assigneeCount: assigned.after.length }
  const editor = type.editor?.(columns as Partial<I['row']>, by)
  const all = { ...columns, ...count, ...editor, updatedAt: by.at } as Partial<I['row']>
  await type.save(tx, item, all, plan, by)
  const next = withColumns(item, all)
  const fields = type.fields.filter((field) => field.setting in columns)
  await type.recordUpdate(tx, {
    ...by,
    before: item,
    item: next,
    notes: [
      ...type.fields.flatMap(({ notes }) =>
        notes(item.row as I['row'], next.row as I['row'], plan),
      ),
      ...(await assigneeNotes(tx, assigned)),
    ],
    assigned,
    previousLabelIds,
    texts: plan.texts,
    finishesTodos: !isSame || fields.some(({ finishesTodos }) => finishesTodos),
  })
}

/** Undefined if the assignees do not change. */
async function applyAssignees<I extends PlannedItem, More>(
  tx: Transaction,
  type: WorkItemType<I, More>,
  item: I,
  { assignees }: ItemPlan<More>,
  allowsMultiple: boolean,
): Promise<Assigned | undefined> {
  if (assignees === undefined || type.assignees === undefined) return undefined
  const before = await type.assignees.list(tx, item)
  const after = nextAssignees(before, assignees, allowsMultiple)
  if (after.join() === before.join()) return undefined
  await type.assignees.set(tx, item, after)
  return { before, after }
}
