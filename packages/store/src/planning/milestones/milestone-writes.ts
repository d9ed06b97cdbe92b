import { nextIid } from '../../platform/queries/iids.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { pick } from '../../platform/queries/sql.ts'
import { touchItemStamps } from '../../platform/queries/stamps.ts'
import type { Row } from '../../platform/schema/schema.ts'
import { type MilestoneOwner, ownerColumn } from './milestone-list.ts'
import { milestoneColumns } from './milestone-row.ts'

/** The settable columns of a milestone. */
export type MilestoneData = Pick<
  Row<'milestones'>,
  'title' | 'description' | 'startDate' | 'dueDate' | 'state'
>

const dataColumns = ['title', 'description', 'startDate', 'dueDate', 'state'] as const

/**
 * Adds a milestone with the next iid of its project or group.
 * @throws UniqueViolationError if the owner has one with this title.
 */
export async function insertMilestone(
  tx: Transaction,
  owner: MilestoneOwner,
  data: MilestoneData & { createdAt: number },
): Promise<Row<'milestones'>> {
  const { column, ownerId } = ownerColumn(owner)
  const kind = column === 'projectId' ? 'milestones' : 'groupMilestones'
  const iid = await nextIid(tx, kind, ownerId)
  const row = await tx.first(`milestones.insert|${column}`, { ...data, iid, ownerId }, (db, $) =>
    db
      .insertInto('milestones')
      .values({
        ...pick($, [...dataColumns, 'iid', 'createdAt']),
        [column]: $('ownerId'),
        updatedAt: $('createdAt'),
      })
      .returning(milestoneColumns),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/**
 * Locks a milestone until the transaction ends and returns its current row; undefined if it no
 * longer exists.
 */
export function lockMilestone(tx: Transaction, id: number): Promise<Row<'milestones'> | undefined> {
  return tx.first('milestones.lock', { id }, (db, $) =>
    db
      .updateTable('milestones')
      .set((eb) => ({ updatedAt: eb.ref('milestones.updatedAt') }))
      .where('milestones.id', '=', $('id'))
      .returning(milestoneColumns),
  )
}

/**
 * Updates a milestone; undefined if it no longer exists.
 * @throws UniqueViolationError if the owner has one with the new title.
 */
export async function updateMilestone(
  tx: Transaction,
  change: MilestoneData & { id: number; updatedAt: number },
): Promise<Row<'milestones'> | undefined> {
  const row = await tx.first('milestones.update', change, (db, $) =>
    db
      .updateTable('milestones')
      .set(pick($, [...dataColumns, 'updatedAt']))
      .where('milestones.id', '=', $('id'))
      .returning(milestoneColumns),
  )
  // Lists are filtered by title.
  if (row !== undefined) touchItemStamps(tx, row.projectId)
  return row
}

/**
 * Deletes a milestone that no item has any longer; boards lose it. False if it no longer exists.
 */
export async function deleteMilestone(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('milestones.delete', { id }, (db, $) =>
    db.deleteFrom('milestones').where('milestones.id', '=', $('id')),
  )
  return changes > 0
}

/** A title to check. */
interface TitleArgs {
  title: string
}

/**
 * Whether a title is taken where it would be listed together with the new one: in a project by its own
 * milestones and those of its ancestor groups, in a group by its own and those of the projects
 * below it.
 */
export async function isMilestoneTitleTaken(
  q: Queries,
  owner: { projectId: number; namespaceId: number } | { groupId: number },
  title: string,
): Promise<boolean> {
  const ids =
    'groupId' in owner
      ? await findTitleInGroup(q, { ...owner, title })
      : await findTitleInProject(q, { ...owner, title })
  return ids.length > 0
}

function findTitleInProject(
  q: Queries,
  args: TitleArgs & { projectId: number; namespaceId: number },
): Promise<{ id: number }[]> {
  return q.all('milestones.same-title|project', args, (db, $) =>
    db
      .selectFrom('milestones')
      .where('milestones.projectId', '=', $('projectId'))
      .where('milestones.title', '=', $('title'))
      .select('milestones.id')
      .unionAll(
        db
          .selectFrom('namespaceAncestors as above')
          .crossJoin('milestones')
          .whereRef('milestones.groupId', '=', 'above.ancestorId')
          .where('above.descendantId', '=', $('namespaceId'))
          .where('milestones.title', '=', $('title'))
          .select('milestones.id'),
      ),
  )
}

function findTitleInGroup(
  q: Queries,
  args: TitleArgs & { groupId: number },
): Promise<{ id: number }[]> {
  return q.all('milestones.same-title|group', args, (db, $) =>
    db
      .selectFrom('milestones')
      .where('milestones.groupId', '=', $('groupId'))
      .where('milestones.title', '=', $('title'))
      .select('milestones.id')
      .unionAll(
        db
          .selectFrom('namespaceAncestors as below')
          .crossJoin('projects')
          .crossJoin('milestones')
          .whereRef('projects.namespaceId', '=', 'below.descendantId')
          .whereRef('milestones.projectId', '=', 'projects.id')
          .where('below.ancestorId', '=', $('groupId'))
          .where('projects.deletedAt', 'is', null)
          .where('milestones.title', '=', $('title'))
          .select('milestones.id'),
      ),
  )
}
