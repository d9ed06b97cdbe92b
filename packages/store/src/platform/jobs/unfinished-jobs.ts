import { inBackground, type Queries } from '../queries/queries.ts'

/** Jobs of a kind that are not finished, those that run included. */
export interface UnfinishedJobs {
  /** How many different payloads they have. */
  payloads: number
  /** When the first of them was enqueued; null without any. */
  oldest: number | null
}

export async function readUnfinishedJobs(
  q: Queries,
  args: { queue: string; kind: string },
): Promise<UnfinishedJobs> {
  const row = await inBackground(q).first('job.unfinished', args, (db, $) =>
    db
      .selectFrom('jobs')
      .where('queue', '=', $('queue'))
      .where('state', 'in', ['queued', 'running'])
      .where('kind', '=', $('kind'))
      .select((eb) => [
        eb.fn.count<number>('payload').distinct().as('payloads'),
        eb.fn.min<number | null>('createdAt').as('oldest'),
      ]),
  )
  return row ?? { payloads: 0, oldest: null }
}
