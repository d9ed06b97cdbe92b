import type { BacklogHistory, JobQueueMetrics } from '@stithy/core'
import type { JobSample, JobStatistics, QueueStatistics, WorkerRecord } from '@stithy/store'
import { timestampText } from '../http/timestamp.ts'
import { minuteMs } from './job-samples.ts'
import { allQueues } from './queues.ts'

/** The queues that workers serve, and others that jobs wait in; those without due jobs as well. */
export function backlogs({ queues }: JobStatistics): QueueStatistics[] {
  const waiting = new Map(queues.map((each) => [each.queue, each]))
  const names = new Set([...allQueues, ...waiting.keys()])
  return [...names]
    .toSorted()
    .map((queue) => waiting.get(queue) ?? { queue, backlog: 0, latency: 0 })
}

export function presentQueues(statistics: JobStatistics): Pick<JobQueueMetrics, 'queues'> {
  const entries = backlogs(statistics).map(({ queue, backlog, latency }) => [
    queue,
    { backlog, latency: Math.floor(latency / 1000) },
  ])
  return { queues: Object.fromEntries(entries) }
}

export function presentProcesses(
  workers: readonly WorkerRecord[],
): Pick<JobQueueMetrics, 'processes'> {
  return {
    processes: workers.map((worker) => ({
      hostname: worker.hostname,
      pid: worker.pid,
      tag: worker.tag,
      started_at: timestampText(worker.startedAt),
      queues: [...worker.queues],
      labels: [...worker.labels],
      concurrency: worker.concurrency,
      busy: worker.busy,
    })),
  }
}

export function presentJobs(statistics: JobStatistics): Pick<JobQueueMetrics, 'jobs'> {
  const { processed, failed, queues } = statistics
  const enqueued = queues.reduce((sum, { backlog }) => sum + backlog, 0)
  return { jobs: { processed, failed, enqueued } }
}

export function presentHistory(
  { dead }: JobStatistics,
  samples: readonly JobSample[],
): BacklogHistory {
  return {
    dead,
    samples: samples.map(({ minute, backlog, latency }) => ({
      recorded_at: timestampText(minute * minuteMs),
      backlog,
      latency: Math.ceil(latency / 1000),
    })),
  }
}
