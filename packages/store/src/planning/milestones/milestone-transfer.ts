import { expressionBuilder } from 'kysely'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'
import { milestoneColumns } from './milestone-row.ts'

/** A project being transferred to another namespace. */
interface Transfer {
  projectId: number
  /** The new namespace. */
  namespaceId: number
}

/**
 * Lists the group milestones that items of the project use, and that the new namespace doesn't
 * have; oldest first.
 */
export function listLostGroupMilestones(
  q: Queries,
  transfer: Transfer,
): Promise<Row<'milestones'>[]> {
  return q.all('milestone-transfer.lost', transfer, (db, $) =>
    db
      .selectFrom('milestones')
      .select(milestoneColumns)
      .where('milestones.groupId', 'is not', null)
      .where('milestones.groupId', 'not in', (eb) =>
        eb
          .selectFrom('namespaceAncestors')
          .where('descendantId', '=', $('namespaceId'))
          .select('ancestorId'),
      )
      .where('milestones.id', 'in', usedIn($))
      .orderBy('milestones.id'),
  )
}

const eb = expressionBuilder<Schema, never>()

/** The ids of the milestones that items or boards of a project use. */
function usedIn($: Param<Pick<Transfer, 'projectId'>>) {
  const usedBy = (table: 'issues' | 'mergeRequests' | 'boards') =>
    eb
      .selectFrom(table)
      .where('projectId', '=', $('projectId'))
      .where('milestoneId', 'is not', null)
      .select((e) => e.ref('milestoneId').$notNull().as('milestoneId'))
  const columns = eb
    .selectFrom('boards')
    .innerJoin('boardLists', 'boardLists.boardId', 'boards.id')
    .where('boards.projectId', '=', $('projectId'))
    .where('boardLists.milestoneId', 'is not', null)
    .select((e) => e.ref('boardLists.milestoneId').$notNull().as('milestoneId'))
  return usedBy('issues').union(usedBy('mergeRequests')).union(usedBy('boards')).union(columns)
}

/** A milestone to replace by another in one project. */
interface Replacement {
  projectId: number
  from: number
  into: number
}

/**
 * Replaces a milestone by another on the boards of a project; other projects keep the old one. See
 * `moveMilestoneItems` for items.
 */
export async function replaceMilestoneInProject(
  tx: Transaction,
  replacement: Replacement,
): Promise<void> {
  await tx.run('milestone-transfer.boards', replacement, (db, $) =>
    db
      .updateTable('boards')
      .set({ milestoneId: $('into') })
      .where('projectId', '=', $('projectId'))
      .where('milestoneId', '=', $('from')),
  )
  // A board has at most one list of a milestone.
  await tx.run('milestone-transfer.doubled', replacement, (db, $) =>
    db
      .deleteFrom('boardLists')
      .where('milestoneId', '=', $('from'))
      .where('boardId', 'in', (eb) =>
        eb.selectFrom('boards').where('projectId', '=', $('projectId')).select('id'),
      )
      .where('boardId', 'in', (eb) =>
        eb.selectFrom('boardLists').where('milestoneId', '=', $('into')).select('boardId'),
      ),
  )
  await tx.run('milestone-transfer.columns', replacement, (db, $) =>
    db
      .updateTable('boardLists')
      .set({ milestoneId: $('into') })
      .where('milestoneId', '=', $('from'))
      .where('boardId', 'in', (eb) =>
        eb.selectFrom('boards').where('projectId', '=', $('projectId')).select('id'),
      ),
  )
}
