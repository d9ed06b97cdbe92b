import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { timestamp } from '../contract/fields.ts'

/** A queue of background jobs. */
export const QueueMetrics = z.object({
  /** Due jobs that no worker has claimed yet. */
  backlog: z.int(),
  /** Whole seconds since the first of them became due. */
  latency: z.int(),
})
export type QueueMetrics = z.output<typeof QueueMetrics>

/** A worker that was heard of within the last 30 seconds. */
export const WorkerProcess = z.object({
  hostname: z.string(),
  pid: z.int(),
  /** `server` for the worker inside a server, `worker` for one apart. */
  tag: z.string(),
  started_at: timestamp,
  /** The queues that it serves. */
  queues: z.array(z.string()),
  labels: z.array(z.string()),
  /** How many jobs it runs at the same time. */
  concurrency: z.int(),
  /** How many it runs now. */
  busy: z.int(),
})
export type WorkerProcess = z.output<typeof WorkerProcess>

/** Totals of all queues. */
export const JobStats = z.object({
  /** Finished attempts since the first start, failed ones included. */
  processed: z.int(),
  /** Failed attempts since the first start. */
  failed: z.int(),
  /** Due jobs of all queues. */
  enqueued: z.int(),
})
export type JobStats = z.output<typeof JobStats>

/** The backlog of all queues as it was in a minute. */
export const BacklogSample = z.object({
  /** The beginning of the minute. */
  recorded_at: timestamp,
  /** Due jobs that no worker had claimed. */
  backlog: z.int(),
  /** Seconds since the first of them had become due, rounded up. */
  latency: z.int(),
})
export type BacklogSample = z.output<typeof BacklogSample>

/** The backlog of the last 24 hours. */
export const BacklogHistory = z.object({
  /** Jobs that were given up after their last attempt. */
  dead: z.int(),
  /** The oldest first; minutes in which nothing recorded it are left out. */
  samples: z.array(BacklogSample),
})
export type BacklogHistory = z.output<typeof BacklogHistory>

const queues = { queues: z.record(z.string(), QueueMetrics) }
const processes = { processes: z.array(WorkerProcess) }
const jobs = { jobs: JobStats }

export const JobQueueMetrics = z.object({ ...queues, ...processes, ...jobs })
export type JobQueueMetrics = z.output<typeof JobQueueMetrics>

const auth = { on: 'instance', ability: 'administer' } as const

/** Queues, workers and totals of background jobs; also below `/sidekiq`, as clients of v4 ask for them. */
export const jobQueueContract = {
  queueMetrics: endpoint({
    name: 'jobQueue.queueMetrics',
    method: 'GET',
    path: '/jobqueue/queue_metrics',
    aliases: ['/sidekiq/queue_metrics'],
    response: { 200: z.object(queues) },
    auth,
    docs: {
      summary: 'Show the backlog and latency of each queue',
      description:
        'For administrators. `backlog` counts the due jobs, and `latency` is in seconds: how long ' +
        'the first of them has been due.',
    },
  }),
  processMetrics: endpoint({
    name: 'jobQueue.processMetrics',
    method: 'GET',
    path: '/jobqueue/process_metrics',
    aliases: ['/sidekiq/process_metrics'],
    response: { 200: z.object(processes) },
    auth,
    docs: {
      summary: 'Show the workers that run jobs',
      description:
        'For administrators. Workers inside of servers and apart, of all machines; one that was ' +
        'not heard of for 30 seconds is left out.',
    },
  }),
  jobStats: endpoint({
    name: 'jobQueue.jobStats',
    method: 'GET',
    path: '/jobqueue/job_stats',
    aliases: ['/sidekiq/job_stats'],
    response: { 200: z.object(jobs) },
    auth,
    docs: {
      summary: 'Show totals of jobs',
      description:
        'For administrators. `processed` and `failed` count attempts since the first start; ' +
        '`enqueued` counts the jobs that are due.',
    },
  }),
  compoundMetrics: endpoint({
    name: 'jobQueue.compoundMetrics',
    method: 'GET',
    path: '/jobqueue/compound_metrics',
    aliases: ['/sidekiq/compound_metrics'],
    response: { 200: JobQueueMetrics },
    auth,
    docs: {
      summary: 'Show queues, workers and totals of jobs together',
      description: 'For administrators.',
    },
  }),
  backlogHistory: endpoint({
    name: 'jobQueue.backlogHistory',
    method: 'GET',
    path: '/jobqueue/backlog_history',
    response: { 200: BacklogHistory },
    auth,
    docs: {
      summary: 'Show the backlog of jobs over the last 24 hours',
      description:
        'For administrators. An extension: a server with a worker records the backlog of all queues ' +
        'once a minute. `dead` counts the jobs that were given up.',
    },
  }),
}
