import { deleteOldJobSamples, readBacklogs, saveJobSample } from '@stithy/store'
import type { App } from '../app.ts'
import { type Periodic, startPeriodic } from './periodic.ts'

export const minuteMs = 60_000
/** Minutes of which samples are kept. */
const sampledMinutes = 24 * 60

/** The first minute of which samples are kept, since the epoch. */
export function firstSampledMinute(app: App): number {
  return Math.floor(app.now() / minuteMs) - sampledMinutes + 1
}

/** Records the backlog of all queues, for its history. Three queries. */
export async function sampleJobs(app: App): Promise<void> {
  const now = app.now()
  const queues = await readBacklogs(app.db, now)
  const sample = {
    minute: Math.floor(now / minuteMs),
    backlog: queues.reduce((sum, { backlog }) => sum + backlog, 0),
    latency: Math.max(0, ...queues.map(({ latency }) => latency)),
  }
  await saveJobSample(app.db.asyncCommit, sample)
  await deleteOldJobSamples(app.db.asyncCommit, firstSampledMinute(app))
}

/** Samples once a minute until it is stopped. Not a job, which would wait in the backlog itself. */
export function startSampling(app: App): Periodic {
  return startPeriodic(app, {
    everyMs: minuteMs,
    run: () => sampleJobs(app),
    failure: 'the backlog of jobs cannot be recorded',
  })
}
