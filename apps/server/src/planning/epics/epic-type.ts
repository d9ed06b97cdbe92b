import { effectiveDate, epicDateErrors, notFound, validationFailed } from '@stithy/core'
import {
  type EpicRow,
  findEpicsById,
  lockEpic,
  type Transaction,
  toFlag,
  updateEpicRow,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { descriptionField, type ItemField, titleField } from '../items/changes/item-field.ts'
import { type WorkItemType, withColumns } from '../items/changes/work-item-type.ts'
import type { EpicItem } from '../items/item.ts'
import { type DateColumns, epicDates } from './epic-dates.ts'
import { close, reopen } from './epic-states.ts'

/** Whether the fixed start or due date is used; notes a change of the date that the epic shows. */
function usedDateField(
  date: 'start' | 'due',
  setting: 'startDateIsFixed' | 'dueDateIsFixed',
): ItemField<EpicRow> {
  return {
    setting,
    columns: ({ change }) => {
      const isFixed = change[setting]
      return isFixed === undefined ? undefined : { [setting]: toFlag(isFixed) }
    },
    notes(before, after) {
      const to = effectiveDate(epicDates(after)[date])
      const isSame = effectiveDate(epicDates(before)[date]) === to
      return isSame ? [] : [{ action: 'epic_date_changed', date, to }]
    },
  }
}

function fixedDateField(setting: 'startDateFixed' | 'dueDateFixed'): ItemField<EpicRow> {
  return { setting, columns: ({ change }) => ({ [setting]: change[setting] }), notes: () => [] }
}

/** How epics are updated. */
export const epicType: WorkItemType<EpicItem, undefined> = {
  fields: [
    titleField,
    descriptionField,
    usedDateField('start', 'startDateIsFixed'),
    fixedDateField('startDateFixed'),
    usedDateField('due', 'dueDateIsFixed'),
    fixedDateField('dueDateFixed'),
  ],
  planMore: async () => undefined,
  // Whether the event takes effect is decided under the lock.
  possibleEvent: async (_app, _item, { stateEvent }) => stateEvent,
  lock: lockItem,
  async save(tx, { row }, columns) {
    requireOrderedDates({ ...row, ...columns })
    await updateEpicRow(tx, row.id, columns)
  },
  close,
  reopen,
  recordUpdate: (tx, update) => recordChange(tx, { kind: 'epic.updated', ...update }),
  reload,
}

/** @throws DomainError `validation_failed` for a fixed start after a fixed due date. */
export function requireOrderedDates(row: DateColumns): void {
  const errors = epicDateErrors(epicDates(row))
  if (errors !== undefined) throw validationFailed(errors)
}

/** Reads and locks the epic until the transaction ends. @throws DomainError `not_found` */
export async function lockItem(tx: Transaction, item: EpicItem): Promise<EpicItem> {
  const row = await lockEpic(tx, item.row.id)
  if (row === undefined) throw notFound('Epic')
  return withColumns(item, row)
}

/** Reads the epic again. One query. @throws DomainError `not_found` if it was deleted. */
export async function reload(app: App, item: EpicItem): Promise<EpicItem> {
  const [row] = await findEpicsById(app.db, [item.row.id])
  if (row === undefined) throw notFound('Epic')
  return { ...item, row }
}
