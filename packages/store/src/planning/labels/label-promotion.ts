import { sql } from 'kysely'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { asBigint, inList } from '../../platform/queries/sql.ts'
import type { LabelMerge } from './label-merge.ts'
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

type Merging = Pick<LabelMerge, 'from' | 'into'>

/**
 * Merges several labels into one, after their links and events: priorities, subscriptions and board
 * lists are moved to the remaining label without duplicates, and the other labels are deleted.
 */
export async function completeLabelMerge(tx: Transaction, merging: Merging): Promise<void> {
  await movePriorities(tx, merging)
  await moveSubscriptions(tx, merging)
  await moveBoards(tx, merging)
  await deleteLabels(tx, merging.from)
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
