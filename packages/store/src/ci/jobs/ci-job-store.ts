import type { PipelineState } from '@stithy/core'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'
import type { CommitStatusRow } from '../commit-statuses/commit-status-store.ts'

/** A job with what it shows of its pipeline. */
export interface CiJobRow extends CommitStatusRow {
  tag: Row<'pipelines'>['tag']
  pipelineStatus: PipelineState
}

/** Jobs by their ids, in no particular order; unknown ids are left out. */
export function findCiJobs(q: Queries, ids: readonly number[]): Promise<CiJobRow[]> {
  return q.all('ci-jobs.find', { ids }, (db, $) =>
    db
      .selectFrom('commitStatuses')
      .innerJoin('pipelines', 'pipelines.id', 'commitStatuses.pipelineId')
      .selectAll('commitStatuses')
      .select(['pipelines.tag', 'pipelines.status as pipelineStatus'])
      .where(inList('commitStatuses.id', $('ids'))),
  )
}
