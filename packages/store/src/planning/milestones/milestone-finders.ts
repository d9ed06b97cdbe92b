import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { type ListedDescription, listedColumns } from '../../platform/queries/listed-text.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'
import { type MilestoneRow, milestoneColumns } from './milestone-row.ts'

const eb = expressionBuilder<Schema, never>()

/**
 * Milestones by their ids, in no particular order; those whose project or group is being deleted
 * are left out. One query.
 */
export function listMilestonesById(
  q: Queries,
  ids: readonly number[],
): Promise<(MilestoneRow & ListedDescription)[]> {
  return q.all('milestones.by-id', { ids }, (db, $) =>
    ofOwners(db)
      .where(inList('milestones.id', $('ids')))
      .select([...listedColumns('milestones', milestoneColumns), ownerPath.as('ownerFullPath')]),
  )
}

/** `milestones` joined with the project or group of each. */
export function withOwner(db: Kysely<Schema>) {
  return ofOwners(db).select([...milestoneColumns, ownerPath.as('ownerFullPath')])
}

function ofOwners(db: Kysely<Schema>) {
  return db
    .selectFrom('milestones')
    .leftJoin('projects', (join) =>
      join.onRef('projects.id', '=', 'milestones.projectId').on('projects.deletedAt', 'is', null),
    )
    .leftJoin('namespaces', (join) =>
      join.onRef('namespaces.id', '=', 'milestones.groupId').on('namespaces.deletedAt', 'is', null),
    )
    .where((e) => e.or([e('projects.id', 'is not', null), e('namespaces.id', 'is not', null)]))
}

const ownerPath = sql<string>`coalesce(${sql.ref('projects.fullPath')}, ${sql.ref('namespaces.fullPath')})`

/** A project: it can use its own milestones, and those of its ancestor groups. */
interface ScopeArgs {
  projectId: number
  namespaceId: number
}

/** The milestone with this id, if the project can use it. */
export function findUsableMilestoneById(
  q: Queries,
  args: ScopeArgs & { id: number },
): Promise<Row<'milestones'> | undefined> {
  return q.first('milestones.usable-by-id', args, (db, $) =>
    db
      .selectFrom('milestones')
      .select(milestoneColumns)
      .where('milestones.id', '=', $('id'))
      .where(usableIn($)),
  )
}

/** Lists the ids of those milestones that exist, but that the project can't use. */
export async function listUnusableMilestoneIds(
  q: Queries,
  args: ScopeArgs & { ids: readonly number[] },
): Promise<Set<number>> {
  const rows = await q.all('milestones.elsewhere', args, (db, $) =>
    db
      .selectFrom('milestones')
      .select('milestones.id')
      .where(inList('milestones.id', $('ids')))
      .where(eb.not(eb.fn.coalesce(usableIn($), eb.lit(false)))),
  )
  return new Set(rows.map(({ id }) => id))
}

function usableIn($: Param<ScopeArgs>): Expression<SqlBool> {
  const groups = eb
    .selectFrom('namespaceAncestors as above')
    .where('above.descendantId', '=', $('namespaceId'))
    .select('above.ancestorId')
  return eb.or([
    eb(sql.ref<number>('milestones.projectId'), '=', $('projectId')),
    eb(sql.ref<number>('milestones.groupId'), 'in', groups),
  ])
}

/**
 * The milestone with this title that the project can use: its own, or that of the nearest group.
 */
export async function findUsableMilestoneByTitle(
  q: Queries,
  args: ScopeArgs & { title: string },
): Promise<Row<'milestones'> | undefined> {
  const rows = await q.all('milestones.usable-by-title', args, (db, $) =>
    db
      .selectFrom('milestones')
      .where('milestones.projectId', '=', $('projectId'))
      .where('milestones.title', '=', $('title'))
      .select([...milestoneColumns])
      .select(sql<number>`-1`.as('distance'))
      .unionAll(
        db
          .selectFrom('namespaceAncestors as above')
          .crossJoin('milestones')
          .whereRef('milestones.groupId', '=', 'above.ancestorId')
          .where('above.descendantId', '=', $('namespaceId'))
          .where('milestones.title', '=', $('title'))
          .select([...milestoneColumns])
          .select('above.distance'),
      ),
  )
  const [nearest] = rows.toSorted((a, b) => a.distance - b.distance)
  if (nearest === undefined) return undefined
  const { distance: _, ...row } = nearest
  return row
}
