import { sql } from 'kysely'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { asBigint, inList } from '../../platform/queries/sql.ts'
import { deleteLabels } from './label-writes.ts'

/** Lists the ids of the labels with this title in all projects below a group. */
export async function listLabelsBelow(
  q: Queries,
  args: { groupId: number; title: string },
): Promise<number[]> {
  const rows = await q.all('labels.below', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as below')
      .crossJoin('projects')
      .crossJoin('labels')
      .whereRef('projects.namespaceId', '=', 'below.descendantId')
      .whereRef('labels.projectId', '=', 'projects.id')
      .where('below.ancestorId', '=', $('groupId'))
      .where('labels.title', '=', $('title'))
      .select('labels.id'),
  )
  return rows.map((row) => row.id)
}

/** Labels to merge into one. */
interface Merging {
  from: readonly number[]
  into: number
}

/**
 * Merges several labels into one: their links, priorities, subscriptions, board lists and events
 * are moved to the remaining label without duplicates, and the other labels are deleted.
 */
export async function mergeLabels(tx: Transaction, merging: Merging): Promise<void> {
  await moveLinks(tx, merging)
  await movePriorities(tx, merging)
  await moveSubscriptions(tx, merging)
  await moveBoards(tx, merging)
  await tx.run('label-merge.events', merging, (db, $) =>
    db
      .updateTable('labelEvents')
      .set({ labelId: $('into') })
      .where(inList('labelEvents.labelId', $('from'))),
  )
  await deleteLabels(tx, merging.from)
}

/** The new links are counted here; `deleteLabels` subtracts the old ones. */
async function moveLinks(tx: Transaction, merging: Merging): Promise<void> {
  const moved = await tx.all('label-merge.links', merging, (db, $) =>
    db
      .insertInto('labelLinks')
      .columns(['targetType', 'targetId', 'projectId', 'createdAt', 'labelId'])
      .expression((eb) =>
        eb
          .selectFrom('labelLinks as old')
          .where(inList(sql.ref('old.labelId'), $('from')))
          .select([
            'old.targetType',
            'old.targetId',
            'old.projectId',
            'old.createdAt',
            asBigint($('into')).as('labelId'),
          ]),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning(['targetType', 'targetId']),
  )
  for (const [type, table] of [
    ['issue', 'issues'],
    ['merge_request', 'mergeRequests'],
    ['epic', 'epics'],
  ] as const) {
    const ids = moved.filter((link) => link.targetType === type).map((link) => link.targetId)
    if (ids.length === 0) continue
    await tx.run(`label-merge.count|${type}`, { ids }, (db, $) =>
      db
        .updateTable(table)
        .set((eb) => ({ labelCount: eb('labelCount', '+', 1) }))
        .where(inList(`${table}.id`, $('ids'))),
    )
  }
}

async function movePriorities(tx: Transaction, merging: Merging): Promise<void> {
  await tx.run('label-merge.priorities', merging, (db, $) =>
    db
      .insertInto('labelPriorities')
      .columns(['projectId', 'priority', 'labelId'])
      .expression((eb) =>
        eb
          .selectFrom('labelPriorities as old')
          .where(inList(sql.ref('old.labelId'), $('from')))
          .select(['old.projectId', 'old.priority', asBigint($('into')).as('labelId')]),
      )
      .onConflict((conflict) => conflict.doNothing()),
  )
}

async function moveSubscriptions(tx: Transaction, merging: Merging): Promise<void> {
  await tx.run('label-merge.subscriptions', merging, (db, $) =>
    db
      .insertInto('subscriptions')
      .columns(['targetType', 'userId', 'subscribed', 'createdAt', 'targetId'])
      .expression((eb) =>
        eb
          .selectFrom('subscriptions as old')
          .where('old.targetType', '=', 'label')
          .where('old.subscribed', '=', 1)
          .where(inList(sql.ref('old.targetId'), $('from')))
          .groupBy(['old.targetType', 'old.userId', 'old.subscribed'])
          .select((e) => [
            'old.targetType',
            'old.userId',
            'old.subscribed',
            e.fn.min('old.createdAt').as('createdAt'),
            asBigint($('into')).as('targetId'),
          ]),
      )
      .onConflict((conflict) => conflict.doNothing()),
  )
}

/**
 * A board with a list of the remaining label keeps that one, and loses the other with its label.
 */
async function moveBoards(tx: Transaction, merging: Merging): Promise<void> {
  await tx.run('label-merge.columns', merging, (db, $) =>
    db
      .updateTable('boardLists')
      .set({ labelId: $('into') })
      .where(inList('boardLists.labelId', $('from')))
      .where('boardId', 'not in', (eb) =>
        eb.selectFrom('boardLists').where('labelId', '=', $('into')).select('boardId'),
      ),
  )
  await tx.run('label-merge.scopes', merging, (db, $) =>
    db
      .insertInto('boardLabels')
      .columns(['boardId', 'labelId'])
      .expression((eb) =>
        eb
          .selectFrom('boardLabels as old')
          .where(inList(sql.ref('old.labelId'), $('from')))
          .select(['old.boardId', asBigint($('into')).as('labelId')]),
      )
      .onConflict((conflict) => conflict.doNothing()),
  )
}
