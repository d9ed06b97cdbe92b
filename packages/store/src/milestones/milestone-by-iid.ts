import type { Queries } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { milestoneColumns } from './milestone-row.ts'

/** The milestone of a project with this number. */
export function findProjectMilestone(
  q: Queries,
  args: { projectId: number; iid: number },
): Promise<Row<'milestones'> | undefined> {
  return q.first('milestones.by-iid', args, (db, $) =>
    db
      .selectFrom('milestones')
      .select(milestoneColumns)
      .where('milestones.projectId', '=', $('projectId'))
      .where('milestones.iid', '=', $('iid')),
  )
}
