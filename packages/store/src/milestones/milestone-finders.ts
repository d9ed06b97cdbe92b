import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Param, Queries } from '../queries.ts'
import type { Row, Schema } from '../schema/schema.ts'
import { inList } from '../sql.ts'
import { type MilestoneRow, milestoneColumns } from './milestone-row.ts'

const eb = expressionBuilder<Schema, never>()

/** Milestones by their ids, in no order; those whose project or group is going are left out. One query. */
export function findMilestonesById(q: Queries, ids: readonly number[]): Promise<MilestoneRow[]> {
  return q.all('milestones.by-id', { ids }, (db, $) =>
    withOwner(db).where(inList('milestones.id', $('ids'))),
  )
}

/** `milestones` joined with the project or group that each is in. */
export function withOwner(db: Kysely<Schema>) {
  return db
    .selectFrom('milestones')
    .leftJoin('projects', (join) =>
      join.onRef('projects.id', '=', 'milestones.projectId').on('projects.deletedAt', 'is', null),
    )
    .leftJoin('namespaces', (join) =>
      join.onRef('namespaces.id', '=', 'milestones.groupId').on('namespaces.deletedAt', 'is', null),
    )
    .where((e) => e.or([e('projects.id', 'is not', null), e('namespaces.id', 'is not', null)]))
    .select([...milestoneColumns, ownerPath.as('ownerFullPath')])
}

const ownerPath = sql<string>`coalesce(${sql.ref('projects.fullPath')}, ${sql.ref('namespaces.fullPath')})`

/** The project whose milestones are asked for: its own, and those of the groups above it. */
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

/** The milestone of this title that the project can use: its own, or that of the nearest group. */
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
