import type { App } from '../../platform/app.ts'
import { servedQueues } from '../../platform/jobs/queues.ts'
import { startWorker, type Worker } from '../../platform/jobs/worker.ts'
import { jobHandlers, recurringJobs } from '../job-handlers.ts'

/** How often a worker apart, which no server wakes, looks for due jobs, in milliseconds. */
const pollApartMs = 200

/** Runs the jobs of the configured queues in this process. @throws ConfigError */
export function startJobs(app: App, tag: 'server' | 'worker'): Worker {
  const { workerConcurrency: concurrency, workerLabels: labels } = app.config
  const worker = startWorker(app, {
    handlers: jobHandlers,
    recurring: recurringJobs,
    concurrency,
    queues: servedQueues(app.config),
    registration: { tag, labels },
    ...(tag === 'worker' ? { pollMs: pollApartMs } : {}),
  })
  app.db.onJobs(worker.wake)
  return worker
}
