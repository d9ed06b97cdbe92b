import type { LabelledType } from '@stithy/core'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { asBigint, asText, inList } from '../../platform/queries/sql.ts'
import { type LabelRef, labelRefColumns } from './label-row.ts'

/** A target of labels. */
export interface Labelable {
  type: LabelledType
  id: number
  /** Null for epics. */
  projectId: number | null
  /** Of the target, in milliseconds. */
  createdAt: number
}

/** Lists the labels of several targets, by title. One query. */
export function listLabelsOf(
  q: Queries,
  args: { type: LabelledType; ids: readonly number[] },
): Promise<(LabelRef & { targetId: number })[]> {
  return q.all('label-links.of', args, (db, $) =>
    db
      .selectFrom('labelLinks')
      .innerJoin('labels', 'labels.id', 'labelLinks.labelId')
      .where('labelLinks.targetType', '=', $('type'))
      .where(inList('labelLinks.targetId', $('ids')))
      .orderBy('labels.title')
      .orderBy('labels.id')
      .select([...labelRefColumns, 'labelLinks.targetId']),
  )
}

/** Adds labels, those that exist; returns the ids of those that the target did not have. */
export async function insertLabelLinks(
  tx: Transaction,
  { type, id, projectId, createdAt }: Labelable,
  labelIds: readonly number[],
): Promise<number[]> {
  if (labelIds.length === 0) return []
  const args = { type, id, projectId, createdAt, labelIds }
  const rows = await tx.all('label-links.insert', args, (db, $) =>
    db
      .insertInto('labelLinks')
      .columns(['targetType', 'targetId', 'projectId', 'createdAt', 'labelId'])
      .expression((eb) =>
        eb
          .selectFrom('labels')
          .where(inList('labels.id', $('labelIds')))
          .select([
            asText($('type')).as('a'),
            asBigint($('id')).as('b'),
            asBigint($('projectId')).as('c'),
            asBigint($('createdAt')).as('d'),
            'labels.id',
          ]),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('labelId'),
  )
  return rows.map((row) => row.labelId)
}

type Target = Pick<Labelable, 'type' | 'id'>

/** Removes labels; returns the ids of those that the target had. */
export async function deleteLabelLinks(
  tx: Transaction,
  { type, id }: Target,
  labelIds: readonly number[],
): Promise<number[]> {
  if (labelIds.length === 0) return []
  const rows = await tx.all('label-links.delete', { type, id, labelIds }, (db, $) =>
    db
      .deleteFrom('labelLinks')
      .where('targetType', '=', $('type'))
      .where('targetId', '=', $('id'))
      .where(inList('labelLinks.labelId', $('labelIds')))
      .returning('labelId'),
  )
  return rows.map((row) => row.labelId)
}

/** Removes all labels but these; returns the ids of the removed ones. */
export async function deleteOtherLabelLinks(
  tx: Transaction,
  { type, id }: Target,
  labelIds: readonly number[],
): Promise<number[]> {
  const rows = await tx.all('label-links.keep', { type, id, labelIds }, (db, $) =>
    db
      .deleteFrom('labelLinks')
      .where('targetType', '=', $('type'))
      .where('targetId', '=', $('id'))
      .where((eb) => eb.not(inList('labelLinks.labelId', $('labelIds'))))
      .returning('labelId'),
  )
  return rows.map((row) => row.labelId)
}

const tables = { issue: 'issues', merge_request: 'mergeRequests', epic: 'epics' } as const

/** Adds to the label counter of a target. */
export async function addToLabelCount(
  tx: Transaction,
  { type, id }: Target,
  by: number,
): Promise<void> {
  if (by === 0) return
  await tx.run(`label-links.count|${type}`, { id, by }, (db, $) =>
    db
      .updateTable(tables[type])
      .set((eb) => ({ labelCount: eb('labelCount', '+', $('by')) }))
      .where('id', '=', $('id')),
  )
}
