import type { Kysely } from 'kysely'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { touchItemStamps } from '../../platform/queries/stamps.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type LabelRow, labelColumns } from './label-row.ts'

/** A project being transferred to another namespace. */
interface Transfer {
  projectId: number
  /** The new namespace. */
  namespaceId: number
}

/**
 * Lists the group labels that items or label events of the project use, and that the new namespace
 * doesn't have.
 */
export function listLostGroupLabels(q: Queries, transfer: Transfer): Promise<LabelRow[]> {
  return q.all('label-transfer.lost', transfer, (db, $) =>
    db
      .selectFrom('labels')
      .select(labelColumns)
      .where('labels.groupId', 'is not', null)
      .where('labels.groupId', 'not in', (eb) =>
        eb
          .selectFrom('namespaceAncestors')
          .where('descendantId', '=', $('namespaceId'))
          .select('ancestorId'),
      )
      .where((eb) =>
        eb.or([
          eb('labels.id', 'in', labelsOfItems(db, $)),
          eb('labels.id', 'in', labelsOfBoards(db, $)),
        ]),
      ),
  )
}

function labelsOfItems(db: Kysely<Schema>, $: Param<Transfer>) {
  return db
    .selectFrom('labelLinks')
    .where('labelLinks.projectId', '=', $('projectId'))
    .select('labelLinks.labelId')
    .union(
      db
        .selectFrom('labelPriorities')
        .where('labelPriorities.projectId', '=', $('projectId'))
        .select('labelPriorities.labelId'),
    )
    .union(
      db
        .selectFrom('labelEvents')
        .where('labelEvents.projectId', '=', $('projectId'))
        .where('labelEvents.labelId', 'is not', null)
        .select((eb) => eb.ref('labelEvents.labelId').$notNull().as('labelId')),
    )
}

function labelsOfBoards(db: Kysely<Schema>, $: Param<Transfer>) {
  return db
    .selectFrom('boards')
    .innerJoin('boardLists', 'boardLists.boardId', 'boards.id')
    .where('boards.projectId', '=', $('projectId'))
    .where('boardLists.labelId', 'is not', null)
    .select((eb) => eb.ref('boardLists.labelId').$notNull().as('labelId'))
    .union(
      db
        .selectFrom('boards')
        .innerJoin('boardLabels', 'boardLabels.boardId', 'boards.id')
        .where('boards.projectId', '=', $('projectId'))
        .select('boardLabels.labelId'),
    )
}

/** A label to replace by another in one project. */
interface Replacement {
  projectId: number
  from: number
  into: number
}

/**
 * Replaces a label by another as a priority and on the boards of a project, without duplicates;
 * other projects keep the old one. See `moveLabelLinks` for items.
 */
export async function replaceLabelInProject(
  tx: Transaction,
  replacement: Replacement,
): Promise<void> {
  await replacePriority(tx, replacement)
  for (const table of ['boardLists', 'boardLabels'] as const) {
    await replaceOnBoards(tx, table, replacement)
  }
  touchItemStamps(tx, replacement.projectId)
}

/** The new label keeps its priority if it has one. */
async function replacePriority(tx: Transaction, replacement: Replacement): Promise<void> {
  await tx.run('label-transfer.priorities', replacement, (db, $) =>
    db
      .updateTable('labelPriorities')
      .set({ labelId: $('into') })
      .where('projectId', '=', $('projectId'))
      .where('labelId', '=', $('from'))
      .where('projectId', 'not in', (eb) =>
        eb.selectFrom('labelPriorities').where('labelId', '=', $('into')).select('projectId'),
      ),
  )
  await tx.run('label-transfer.priorities.doubled', replacement, (db, $) =>
    db
      .deleteFrom('labelPriorities')
      .where('projectId', '=', $('projectId'))
      .where('labelId', '=', $('from')),
  )
}

/**
 * Replaces the label in board lists and board scopes; a board that has the new label already loses
 * the old one.
 */
async function replaceOnBoards(
  tx: Transaction,
  table: 'boardLists' | 'boardLabels',
  replacement: Replacement,
): Promise<void> {
  await tx.run(`label-transfer.${table}`, replacement, (db, $) =>
    db
      .updateTable(table)
      .set({ labelId: $('into') })
      .where('labelId', '=', $('from'))
      .where('boardId', 'in', (eb) =>
        eb.selectFrom('boards').where('projectId', '=', $('projectId')).select('id'),
      )
      .where('boardId', 'not in', (eb) =>
        eb.selectFrom(table).where('labelId', '=', $('into')).select('boardId'),
      ),
  )
  await tx.run(`label-transfer.${table}.doubled`, replacement, (db, $) =>
    db
      .deleteFrom(table)
      .where('labelId', '=', $('from'))
      .where('boardId', 'in', (eb) =>
        eb.selectFrom('boards').where('projectId', '=', $('projectId')).select('id'),
      ),
  )
}
