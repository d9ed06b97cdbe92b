import { nextIid } from '../iids.ts'
import type { Queries, Transaction } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { pick } from '../sql.ts'
import { touchStamp } from '../stamps.ts'
import { type MilestoneOwner, ownerColumn } from './milestone-list.ts'
import { milestoneColumns } from './milestone-row.ts'

/** What may be set of a milestone. */
export type MilestoneData = Pick<
  Row<'milestones'>,
  'title' | 'description' | 'startDate' | 'dueDate' | 'state'
>

const dataColumns = ['title', 'description', 'startDate', 'dueDate', 'state'] as const

/**
 * Adds a milestone under the next number of its project or group.
 * @throws UniqueViolationError where the owner has one of this title.
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
  if (row === undefined) throw new TypeError('An insert answered no row')
  return row
}

/** The milestone as it is now, kept from others until the transaction ends; undefined where it is gone. */
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
 * Changes a milestone; undefined where it is gone.
 * @throws UniqueViolationError where the owner has one of the new title.
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
  // Lists are narrowed by the title.
  if (row !== undefined) await touchStamp(tx, 'issues', 'mergeRequests')
  return row
}

/** Removes a milestone that nothing has any more; boards lose it. False where it was gone. */
export async function deleteMilestone(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('milestones.delete', { id }, (db, $) =>
    db.deleteFrom('milestones').where('milestones.id', '=', $('id')),
  )
  return changes > 0
}

/** A title that somebody wants. */
interface TitleArgs {
  title: string
}

/**
 * Whether a title is taken where it would be seen beside the new one: in a project by its own milestones and those
 * of the groups above it, in a group by its own and those of the projects below it (catalogue: planning, 1).
 */
export async function isMilestoneTitleTaken(
  q: Queries,
  place: { projectId: number; namespaceId: number } | { groupId: number },
  title: string,
): Promise<boolean> {
  const ids =
    'groupId' in place
      ? await namesakesOfGroup(q, { ...place, title })
      : await namesakesOfProject(q, { ...place, title })
  return ids.length > 0
}

function namesakesOfProject(
  q: Queries,
  args: TitleArgs & { projectId: number; namespaceId: number },
): Promise<{ id: number }[]> {
  return q.all('milestones.namesakes|project', args, (db, $) =>
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

function namesakesOfGroup(
  q: Queries,
  args: TitleArgs & { groupId: number },
): Promise<{ id: number }[]> {
  return q.all('milestones.namesakes|group', args, (db, $) =>
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
