import { maxEpicLevels } from '@stithy/core'
import { type Kysely, sql } from 'kysely'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type OrderedTable, positionAtEnd } from '../items/relative-order.ts'

/** The order of the children of an epic. */
export const childEpics: OrderedTable = { name: 'epics', parent: 'parentId' }

/** The ids of an epic and of those above it, from the inside out. One query. */
export async function listEpicLine(q: Queries, id: number): Promise<number[]> {
  const rows = await q.all('epics.line', { id }, (db, $) =>
    db
      .withRecursive('line(id, parentId, level)', (cte) =>
        cte
          .selectFrom('epics')
          .where('epics.id', '=', $('id'))
          .select(['epics.id', 'epics.parentId', sql<number>`1`.as('level')])
          .unionAll(
            cte
              .selectFrom('line')
              .innerJoin('epics', 'epics.id', 'line.parentId')
              // Ends whatever the rows say.
              .where('line.level', '<=', maxEpicLevels)
              .select(['epics.id', 'epics.parentId', sql<number>`line."level" + 1`.as('level')]),
          ),
      )
      .selectFrom('line')
      .orderBy('level')
      .select('line.id'),
  )
  return rows.map((row) => row.id)
}

/** Whether some epics are `levels` below an epic; its children are one below. One query. */
export async function hasEpicsBelow(
  q: Queries,
  args: { id: number; levels: number },
): Promise<boolean> {
  const row = await q.first('epics.has-below', args, (db, $) =>
    below(db, $)
      .selectFrom('below')
      .where('below.level', '=', $('levels'))
      .limit(1)
      .select('below.id'),
  )
  return row !== undefined
}

function below(db: Kysely<Schema>, $: Param<{ id: number; levels: number }>) {
  return db.withRecursive('below(id, level)', (cte) =>
    cte
      .selectFrom('epics')
      .where('epics.parentId', '=', $('id'))
      .select(['epics.id', sql<number>`1`.as('level')])
      .unionAll(
        cte
          .selectFrom('below')
          .innerJoin('epics', 'epics.parentId', 'below.id')
          .where('below.level', '<', $('levels'))
          .select(['epics.id', sql<number>`below."level" + 1`.as('level')]),
      ),
  )
}

/** Makes an epic the last child of another one, or of none. Both must be locked. */
export async function setEpicParent(
  tx: Transaction,
  { id, parentId, at }: { id: number; parentId: number | null; at: number },
): Promise<void> {
  const position =
    parentId === null ? null : await positionAtEnd(tx, { table: childEpics, parentId })
  await tx.run('epics.set-parent', { id, parentId, position, at }, (db, $) =>
    db
      .updateTable('epics')
      .set({ parentId: $('parentId'), relativePosition: $('position'), updatedAt: $('at') })
      .where('epics.id', '=', $('id')),
  )
}

/** Whether the epics of a group may be below those of another: it is the same, or above. */
export async function isGroupWithin(
  q: Queries,
  args: { groupId: number; ancestorId: number },
): Promise<boolean> {
  const row = await q.first('epics.group-within', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors')
      .where('descendantId', '=', $('groupId'))
      .where('ancestorId', '=', $('ancestorId'))
      .select('ancestorId'),
  )
  return row !== undefined
}
