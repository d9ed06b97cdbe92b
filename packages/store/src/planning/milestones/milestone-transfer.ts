import { expressionBuilder } from 'kysely'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { touchItemStamps } from '../../platform/queries/stamps.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'
import { findUsableMilestoneByTitle } from './milestone-finders.ts'
import { milestoneColumns } from './milestone-row.ts'
import { insertMilestone } from './milestone-writes.ts'

/** A project being transferred to another namespace. */
interface Transfer {
  projectId: number
  /** The new namespace. */
  namespaceId: number
}

/**
 * Preserves the milestones of items when a project is transferred: milestones of groups that it
 * leaves are replaced by those with the same title that it has there, or by copies. `at` in
 * milliseconds.
 */
export async function transferMilestones(
  tx: Transaction,
  { projectId, namespaceId, at }: Transfer & { at: number },
): Promise<void> {
  const target = { projectId, namespaceId }
  const lost = await listLostGroupMilestones(tx, target)
  for (const { id, title, description, startDate, dueDate, state } of lost) {
    const data = { title, description, startDate, dueDate, state, createdAt: at }
    const known = await findUsableMilestoneByTitle(tx, { ...target, title })
    const into = known ?? (await insertMilestone(tx, { projectId }, data))
    await replaceMilestoneInProject(tx, { projectId, from: id, into: into.id })
  }
  if (lost.length > 0) touchItemStamps(tx, projectId)
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

/** Replaces a milestone by another everywhere in a project; other projects keep the old one. */
export async function replaceMilestoneInProject(
  tx: Transaction,
  replacement: Replacement,
): Promise<void> {
  for (const table of ['issues', 'mergeRequests', 'boards'] as const) {
    await tx.run(`milestone-transfer.replace|${table}`, replacement, (db, $) =>
      db
        .updateTable(table)
        .set({ milestoneId: $('into') })
        .where('projectId', '=', $('projectId'))
        .where('milestoneId', '=', $('from')),
    )
  }
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
