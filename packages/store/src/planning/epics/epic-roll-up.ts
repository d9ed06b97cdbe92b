import { type CallerFacts, maxEpicLevels } from '@stithy/core'
import { type Kysely, sql } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { type ViewerKind, viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import { inBackground, type Param, type Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { visibleIssues } from '../issues/issue-visibility.ts'
import { visibleEpics } from './epic-visibility.ts'

/** The epics or issues below an epic in one state. */
export interface EpicRollUpRow {
  kind: 'epic' | 'issue'
  state: 'opened' | 'closed'
  total: number
  /** The sum of the weights of issues. */
  weight: number
}

/**
 * Counts the epics below an epic and the issues of all of them by state, as far as the caller can see
 * them: an epic that they can't see hides what is below it. `today` is `YYYY-MM-DD`. One query.
 */
export function rollUpEpic(
  q: Queries,
  { epicId, caller, today }: { epicId: number; caller: CallerFacts; today: string },
): Promise<EpicRollUpRow[]> {
  const kind = viewerKind(caller)
  const args = { epicId, ...viewerArgs(caller, today) }
  return inBackground(q).all(`epics.roll-up|${kind}`, args, (db, $) =>
    visibleTree(db, $, kind)
      .selectFrom('tree')
      // SQLite would read all epics, and all issues, by their states.
      .crossJoin('epics')
      .whereRef('epics.id', '=', 'tree.id')
      .where('tree.level', '>', 0)
      .groupBy('epics.state')
      .select((eb) => [
        sql<EpicRollUpRow['kind']>`'epic'`.as('kind'),
        'epics.state',
        eb.fn.countAll<number>().as('total'),
        sql<number>`cast(0 as bigint)`.as('weight'),
      ])
      .unionAll((eb) =>
        eb
          .selectFrom('tree')
          .crossJoin('epicIssues')
          .crossJoin('issues')
          .crossJoin('projects')
          .whereRef('epicIssues.epicId', '=', 'tree.id')
          .whereRef('issues.id', '=', 'epicIssues.issueId')
          .whereRef('projects.id', '=', 'issues.projectId')
          .where(visibleIssues(kind, $))
          .groupBy('issues.state')
          .select((e) => [
            sql<EpicRollUpRow['kind']>`'issue'`.as('kind'),
            'issues.state',
            e.fn.countAll<number>().as('total'),
            sql<number>`coalesce(sum(${sql.ref('issues.weight')}), 0)`.as('weight'),
          ]),
      ),
  )
}

function visibleTree(
  db: Kysely<Schema>,
  $: Param<ViewerArgs & { epicId: number }>,
  kind: ViewerKind,
) {
  return db.withRecursive('tree(id, level)', (cte) =>
    cte
      .selectFrom('epics')
      .where('epics.id', '=', $('epicId'))
      .select(['epics.id', sql<number>`0`.as('level')])
      .unionAll(
        cte
          .selectFrom('tree')
          .innerJoin('epics', 'epics.parentId', 'tree.id')
          .innerJoin('namespaces', 'namespaces.id', 'epics.groupId')
          .where('tree.level', '<', maxEpicLevels - 1)
          .where(visibleEpics(kind, $))
          .select(['epics.id', sql<number>`tree."level" + 1`.as('level')]),
      ),
  )
}
