import type { LabelledType } from '@stithy/core'
import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { asBigint, asText, inList } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'
import type { Labelable } from '../labels/label-links.ts'
import type { LabelRef } from '../labels/label-row.ts'

/** A label that was added or removed. */
export interface LabelEventRow extends Row<'labelEvents'> {
  /** Undefined once the label is deleted. */
  label: LabelRef | undefined
}

interface TargetArgs {
  type: LabelledType
  id: number
}

const eventColumns = [
  'labelEvents.id',
  'labelEvents.targetType',
  'labelEvents.targetId',
  'labelEvents.projectId',
  'labelEvents.labelId',
  'labelEvents.userId',
  'labelEvents.action',
  'labelEvents.createdAt',
  'labels.title',
  'labels.color',
  'labels.description',
] as const

interface JoinedRow extends Row<'labelEvents'> {
  title: string | null
  color: string | null
  description: string | null
}

/** Records added and removed labels, in order. One statement. */
export async function insertLabelEvents(
  tx: Transaction,
  { type, id, projectId }: Pick<Labelable, 'type' | 'id' | 'projectId'>,
  change: { action: 'add' | 'remove'; labelIds: readonly number[]; userId: number; at: number },
): Promise<void> {
  if (change.labelIds.length === 0) return
  const args = { type, id, projectId, ...change }
  await tx.run('label-events.insert', args, (db, $) =>
    db
      .insertInto('labelEvents')
      .columns(['targetType', 'targetId', 'projectId', 'userId', 'action', 'createdAt', 'labelId'])
      .expression((eb) =>
        eb
          .selectFrom('labels')
          .where(inList('labels.id', $('labelIds')))
          .orderBy('labels.title')
          .select([
            asText($('type')).as('a'),
            asBigint($('id')).as('b'),
            asBigint($('projectId')).as('c'),
            asBigint($('userId')).as('d'),
            asText($('action')).as('e'),
            asBigint($('at')).as('f'),
            'labels.id',
          ]),
      ),
  )
}

/**
 * Copies the label events of one target to another, with the labels of the same title among
 * `labelIds`; if there is none, the label of the copy is null, as if it were deleted.
 */
export async function copyLabelEvents(
  tx: Transaction,
  from: TargetArgs,
  to: Labelable,
  labelIds: readonly number[],
): Promise<void> {
  const { type: toType, id: toId, projectId } = to
  await tx.run('label-events.copy', { ...from, toType, toId, projectId, labelIds }, (db, $) =>
    db
      .insertInto('labelEvents')
      .columns(['targetType', 'targetId', 'projectId', 'userId', 'action', 'createdAt', 'labelId'])
      .expression((eb) =>
        eb
          .selectFrom('labelEvents as old')
          .leftJoin('labels as was', 'was.id', 'old.labelId')
          .where('old.targetType', '=', $('type'))
          .where('old.targetId', '=', $('id'))
          .orderBy('old.id')
          .select((e) => [
            asText($('toType')).as('a'),
            asBigint($('toId')).as('b'),
            asBigint($('projectId')).as('c'),
            'old.userId',
            'old.action',
            'old.createdAt',
            e
              .selectFrom('labels as now')
              .where(inList(e.ref('now.id' as never), $('labelIds')))
              .whereRef('now.title', '=', 'was.title')
              .select('now.id')
              .as('labelId'),
          ]),
      ),
  )
}

/** When events happened, in milliseconds; bounds are inclusive. */
interface EventPeriod {
  after?: number | undefined
  before?: number | undefined
}

/** Lists the label events of a target, oldest first. At most two queries. */
export async function listLabelEvents(
  q: Queries,
  { after, before, ...target }: TargetArgs & EventPeriod,
  request: PageRequest,
): Promise<Page<LabelEventRow>> {
  const bounds = [after !== undefined && 'after', before !== undefined && 'before']
  const { items, total } = await listUncached(q, request, {
    shape: `label-events.list|${bounds.filter(Boolean).join()}`,
    args: { ...target, after: after ?? 0, before: before ?? 0 },
    key: 'labelEvents.id',
    from: (db, $) =>
      db
        .selectFrom('labelEvents')
        .where('labelEvents.targetType', '=', $('type'))
        .where('labelEvents.targetId', '=', $('id'))
        .$if(after !== undefined, (query) => query.where('labelEvents.createdAt', '>=', $('after')))
        .$if(before !== undefined, (query) =>
          query.where('labelEvents.createdAt', '<=', $('before')),
        ),
    order: (query) => query.orderBy('labelEvents.id'),
    columns: (query) =>
      query.leftJoin('labels', 'labels.id', 'labelEvents.labelId').select(eventColumns),
  })
  return { ...request, items: items.map(withLabel), total }
}

/** One label event of a target, by its id. */
export async function findLabelEvent(
  q: Queries,
  args: TargetArgs & { eventId: number },
): Promise<LabelEventRow | undefined> {
  const row = await q.first('label-events.find', args, (db, $) =>
    db
      .selectFrom('labelEvents')
      .leftJoin('labels', 'labels.id', 'labelEvents.labelId')
      .where('labelEvents.id', '=', $('eventId'))
      .where('labelEvents.targetType', '=', $('type'))
      .where('labelEvents.targetId', '=', $('id'))
      .select(eventColumns),
  )
  return row && withLabel(row)
}

function withLabel({ title, color, description, ...row }: JoinedRow): LabelEventRow {
  const { labelId } = row
  if (labelId === null || title === null || color === null) return { ...row, label: undefined }
  return { ...row, label: { id: labelId, title, color, description } }
}
