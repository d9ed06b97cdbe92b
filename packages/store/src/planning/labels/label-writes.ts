import type { Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import { touchItemStamps, touchStamp } from '../../platform/queries/stamps.ts'
import { type LabelRow, labelColumns } from './label-row.ts'

/** A label to create. */
export type NewLabel = Omit<LabelRow, 'id' | 'updatedAt'>

const inserted = ['projectId', 'groupId', 'title', 'color', 'description', 'createdAt'] as const

/** Adds a label; undefined if its project or group has one with this title already. */
export function insertLabel(tx: Transaction, label: NewLabel): Promise<LabelRow | undefined> {
  return tx.first('labels.insert', label, (db, $) =>
    db
      .insertInto('labels')
      .values({ ...pick($, inserted), updatedAt: $('createdAt') })
      .onConflict((conflict) => conflict.doNothing())
      .returning(labelColumns),
  )
}

/** The changes to a label. */
export interface LabelChange extends Pick<LabelRow, 'id' | 'title' | 'color' | 'description'> {
  /** Milliseconds. */
  updatedAt: number
}

/**
 * Updates a label; undefined if it no longer exists.
 * @throws UniqueViolationError if its project or group has one with the new title.
 */
export async function updateLabel(
  tx: Transaction,
  change: LabelChange,
): Promise<LabelRow | undefined> {
  const row = await tx.first('labels.update', change, (db, $) =>
    db
      .updateTable('labels')
      .set(pick($, ['title', 'color', 'description', 'updatedAt']))
      .where('labels.id', '=', $('id'))
      .returning(labelColumns),
  )
  // Lists are filtered by title.
  if (row !== undefined) touchItemStamps(tx, row.projectId)
  if (row !== undefined && row.groupId !== null) touchStamp(tx, 'epics')
  return row
}

/** Sets the priority of a label in a project; null removes it. */
export async function setLabelPriority(
  tx: Transaction,
  { priority, ...key }: { projectId: number; labelId: number; priority: number | null },
): Promise<void> {
  if (priority === null) {
    await tx.run('label-priorities.delete', key, (db, $) =>
      db
        .deleteFrom('labelPriorities')
        .where('projectId', '=', $('projectId'))
        .where('labelId', '=', $('labelId')),
    )
    return
  }
  await tx.run('label-priorities.set', { ...key, priority }, (db, $) =>
    db
      .insertInto('labelPriorities')
      .values(pick($, ['projectId', 'labelId', 'priority']))
      .onConflict((conflict) =>
        conflict.columns(['projectId', 'labelId']).doUpdateSet({ priority: $('priority') }),
      ),
  )
}

const counted = { issue: 'issues', merge_request: 'mergeRequests', epic: 'epics' } as const

/**
 * Deletes labels and their links, and updates the label counters; their events stay without a
 * label. Boards lose the lists of the labels: the caller must close the gaps in the positions.
 */
export async function deleteLabels(tx: Transaction, ids: readonly number[]): Promise<void> {
  for (const [type, table] of Object.entries(counted)) {
    await tx.run(`labels.uncount|${type}`, { ids }, (db, $) =>
      db
        .updateTable(table)
        .set((eb) => ({
          labelCount: eb(
            'labelCount',
            '-',
            eb
              .selectFrom('labelLinks')
              .where('labelLinks.targetType', '=', type as keyof typeof counted)
              .whereRef('labelLinks.targetId', '=', `${table}.id` as never)
              .where(inList('labelLinks.labelId', $('ids')))
              .select((e) => e.fn.countAll<number>().as('gone')),
          ),
        }))
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('labelLinks')
            .where('labelLinks.targetType', '=', type as keyof typeof counted)
            .where(inList('labelLinks.labelId', $('ids')))
            .select('labelLinks.targetId'),
        ),
    )
  }
  // Before the links: each deleted link would be subtracted from a total that is deleted as well.
  await tx.run('labels.totals.delete', { ids }, (db, $) =>
    db.deleteFrom('labelTotals').where(inList('labelTotals.labelId', $('ids'))),
  )
  await tx.run('labels.subscriptions.delete', { ids }, (db, $) =>
    db
      .deleteFrom('subscriptions')
      .where('targetType', '=', 'label')
      .where(inList('subscriptions.targetId', $('ids'))),
  )
  await tx.run('labels.delete', { ids }, (db, $) =>
    db.deleteFrom('labels').where(inList('labels.id', $('ids'))),
  )
  touchStamp(tx, 'issues', 'mergeRequests', 'epics')
}
