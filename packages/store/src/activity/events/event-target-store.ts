import { sql } from 'kysely'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'

/** The current state of an event's target. */
export interface EventTarget {
  type: 'issue' | 'merge_request' | 'milestone'
  id: number
  iid: number
  title: string
}

/** Lists the targets of events that still exist, in no particular order. One query. */
export function listEventTargets(
  q: Queries,
  ids: {
    issueIds: readonly number[]
    mergeRequestIds: readonly number[]
    milestoneIds: readonly number[]
  },
): Promise<EventTarget[]> {
  return q.all('events.targets', ids, (db, $) =>
    db
      .selectFrom('issues')
      .select(['id', 'iid', 'title', sql<EventTarget['type']>`'issue'`.as('type')])
      .where(inList('issues.id', $('issueIds')))
      .unionAll(
        db
          .selectFrom('mergeRequests')
          .select(['id', 'iid', 'title', sql<EventTarget['type']>`'merge_request'`.as('type')])
          .where(inList('mergeRequests.id', $('mergeRequestIds'))),
      )
      .unionAll(
        db
          .selectFrom('milestones')
          .select(['id', 'iid', 'title', sql<EventTarget['type']>`'milestone'`.as('type')])
          .where(inList('milestones.id', $('milestoneIds'))),
      ),
  )
}
