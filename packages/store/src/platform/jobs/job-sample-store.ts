import type { Queries } from '../queries/queries.ts'
import { pick } from '../queries/sql.ts'
import type { Row } from '../schema/schema.ts'

/** The backlog of all queues together in one minute. */
export type JobSample = Row<'jobSamples'>

/** Records the backlog of a minute; the first sample of it counts, whoever takes it. */
export async function saveJobSample(q: Queries, sample: JobSample): Promise<void> {
  await q.run('job-sample.save', sample, (db, $) =>
    db
      .insertInto('jobSamples')
      .values(pick($, ['minute', 'backlog', 'latency']))
      .onConflict((conflict) => conflict.column('minute').doNothing()),
  )
}

/** Deletes the samples before a minute. */
export async function deleteOldJobSamples(q: Queries, before: number): Promise<void> {
  await q.run('job-sample.delete', { before }, (db, $) =>
    db.deleteFrom('jobSamples').where('minute', '<', $('before')),
  )
}

/** The samples since a minute, by time. */
export function listJobSamples(q: Queries, since: number): Promise<JobSample[]> {
  return q.all('job-sample.list', { since }, (db, $) =>
    db.selectFrom('jobSamples').where('minute', '>=', $('since')).orderBy('minute').selectAll(),
  )
}
