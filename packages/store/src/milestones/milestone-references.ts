import { sql } from 'kysely'
import type { Queries } from '../queries.ts'
import { inList } from '../sql.ts'
import { withOwner } from './milestone-finders.ts'
import type { MilestoneRow } from './milestone-row.ts'

/** A milestone that a project can use, of itself or of a group above it. */
export interface NamedMilestoneRow extends MilestoneRow {
  /** Of the project that can use it. */
  placeId: number
  /** -1 for its own, and more the farther the group is. */
  distance: number
}

/** The milestones of these titles that these projects can use. One query. */
export function listNamedMilestones(
  q: Queries,
  args: { projectIds: readonly number[]; titles: readonly string[] },
): Promise<NamedMilestoneRow[]> {
  return q.all('milestones.named', args, (db, $) =>
    withOwner(db)
      .where(inList('milestones.projectId', $('projectIds')))
      .where(inList('milestones.title', $('titles')))
      .select([sql<number>`milestones."projectId"`.as('placeId'), sql<number>`-1`.as('distance')])
      .unionAll(
        withOwner(db)
          .innerJoin('namespaceAncestors as above', 'above.ancestorId', 'milestones.groupId')
          .innerJoin('projects as place', 'place.namespaceId', 'above.descendantId')
          .where((eb) => inList(eb.ref('place.id'), $('projectIds')))
          .where(inList('milestones.title', $('titles')))
          .select([
            sql.ref<number>('place.id').as('placeId'),
            sql.ref<number>('above.distance').as('distance'),
          ]),
      ),
  )
}

/** Milestones by their numbers in projects and in groups; more than asked for where several places are. One query. */
export function listNumberedMilestones(
  q: Queries,
  args: { projectIds: readonly number[]; groupIds: readonly number[]; iids: readonly number[] },
): Promise<MilestoneRow[]> {
  return q.all('milestones.numbered', args, (db, $) =>
    withOwner(db)
      .where(inList('milestones.projectId', $('projectIds')))
      .where(inList('milestones.iid', $('iids')))
      .unionAll(
        withOwner(db)
          .where(inList('milestones.groupId', $('groupIds')))
          .where(inList('milestones.iid', $('iids'))),
      ),
  )
}
