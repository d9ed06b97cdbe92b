import { sql } from 'kysely'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { withOwner } from './milestone-finders.ts'
import type { MilestoneRow } from './milestone-row.ts'

/** A milestone that a project can use, its own or that of an ancestor group. */
export interface MentionedMilestoneRow extends MilestoneRow {
  /** The project that can use it. */
  scopeId: number
  /** -1 for its own, and greater the farther the group is. */
  distance: number
}

/** Lists the milestones with these titles that these projects can use. One query. */
export function listMentionedMilestones(
  q: Queries,
  args: { projectIds: readonly number[]; titles: readonly string[] },
): Promise<MentionedMilestoneRow[]> {
  return q.all('milestones.named', args, (db, $) =>
    withOwner(db)
      .where(inList('milestones.projectId', $('projectIds')))
      .where(inList('milestones.title', $('titles')))
      .select([sql<number>`milestones."projectId"`.as('scopeId'), sql<number>`-1`.as('distance')])
      .unionAll(
        withOwner(db)
          .innerJoin('namespaceAncestors as above', 'above.ancestorId', 'milestones.groupId')
          .innerJoin('projects as project', 'project.namespaceId', 'above.descendantId')
          .where((eb) => inList(eb.ref('project.id'), $('projectIds')))
          .where(inList('milestones.title', $('titles')))
          .select([
            sql.ref<number>('project.id').as('scopeId'),
            sql.ref<number>('above.distance').as('distance'),
          ]),
      ),
  )
}

/**
 * Lists milestones by their iids in projects and in groups; a superset if several parents are
 * given. One query.
 */
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
