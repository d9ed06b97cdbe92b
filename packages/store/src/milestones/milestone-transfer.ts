import { expressionBuilder } from 'kysely'
import type { Param, Queries, Transaction } from '../queries.ts'
import type { Row, Schema } from '../schema/schema.ts'
import { touchStamp } from '../stamps.ts'
import { findUsableMilestoneByTitle } from './milestone-finders.ts'
import { milestoneColumns } from './milestone-row.ts'
import { insertMilestone } from './milestone-writes.ts'

/** A project that goes to another namespace. */
interface Going {
  projectId: number
  /** The new one. */
  namespaceId: number
}

/**
 * Keeps what is planned as it is when a project goes to another namespace: milestones of groups that it leaves are
 * replaced by those of the same title that it has there, or that it gets. `at` in milliseconds.
 */
export async function carryMilestones(
  tx: Transaction,
  { projectId, namespaceId, at }: Going & { at: number },
): Promise<void> {
  const place = { projectId, namespaceId }
  const left = await listMilestonesLeftBehind(tx, place)
  for (const { id, title, description, startDate, dueDate, state } of left) {
    const data = { title, description, startDate, dueDate, state, createdAt: at }
    const known = await findUsableMilestoneByTitle(tx, { ...place, title })
    const into = known ?? (await insertMilestone(tx, { projectId }, data))
    await replaceMilestoneInProject(tx, { projectId, from: id, into: into.id })
  }
  if (left.length > 0) await touchStamp(tx, 'issues', 'mergeRequests')
}

/** The milestones of groups that something in the project has, and that it leaves behind; the oldest first. */
export function listMilestonesLeftBehind(q: Queries, going: Going): Promise<Row<'milestones'>[]> {
  return q.all('milestone-transfer.left-behind', going, (db, $) =>
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

/** The ids of the milestones that something in a project has. */
function usedIn($: Param<Pick<Going, 'projectId'>>) {
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

/** A milestone that another takes the place of, in one project. */
interface Replacement {
  projectId: number
  from: number
  into: number
}

/** Gives everything in a project that has one milestone another one; the first stays elsewhere. */
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
  // A board has one column of a milestone at most.
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
