import { inBackground, type Queries } from '../queries/queries.ts'
import { inList, jsonText } from '../queries/sql.ts'

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

/** Counts those of some different payloads that no unfinished job of a kind has. */
export async function countWithoutJob(
  q: Queries,
  { payloads, ...job }: { queue: string; kind: string; payloads: readonly unknown[] },
): Promise<number> {
  if (payloads.length === 0) return 0
  const args = { ...job, payloads: payloads.map(jsonText) }
  const rows = await inBackground(q).all('job.unfinishedPayloads', args, (db, $) =>
    db
      .selectFrom('jobs')
      .select('payload')
      .distinct()
      .where('queue', '=', $('queue'))
      .where('state', 'in', ['queued', 'running'])
      .where('kind', '=', $('kind'))
      .where(inList('jobs.payload', $('payloads'))),
  )
  return payloads.length - rows.length
}
