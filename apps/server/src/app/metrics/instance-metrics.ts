import { listWorkers, readCounters, readDatabaseSize, readJobStatistics } from '@stithy/store'
import { Counter, Gauge, type Registry } from 'prom-client'
import { eventStreamsOf } from '../../activity/event-streams/event-streams.ts'
import { type IndexStatus, readIndexStatus } from '../../activity/search-index/index-status.ts'
import { gitTransferSlots } from '../../code/git-http/transfers.ts'
import type { App } from '../../platform/app.ts'
import { aliveSince } from '../../platform/jobs/heartbeat.ts'
import { backlogs } from '../../platform/jobs/job-queue.presenter.ts'
import { sharedCounters } from '../../platform/metrics/shared-counters.ts'
import { version } from '../../platform/version.ts'

/** Names and help texts of the metrics that are read when they are asked for. */
const gauges = {
  stithy_jobs_backlog: 'Due jobs that no worker has claimed, by queue.',
  stithy_jobs_latency_seconds: 'Seconds since the first of them became due, by queue.',
  stithy_jobs_waiting: 'Waiting jobs, including scheduled ones.',
  stithy_jobs_dead: 'Jobs that failed at their last attempt.',
  stithy_workers: 'Processes that run jobs.',
  stithy_workers_concurrency: 'Jobs that they run at the same time.',
  stithy_workers_busy: 'Jobs that they run now.',
  stithy_event_streams: 'Event streams that are open at this server.',
  stithy_git_processes: 'Git processes that this server runs now.',
  stithy_git_transfers: 'Fetches and pushes that this server serves now.',
  stithy_git_transfers_waiting: 'Fetches and pushes that wait for their turn.',
  stithy_database_size_bytes: 'Size of the database.',
  stithy_database_connections: 'Connections to PostgreSQL, by state.',
  stithy_search_index_enabled: 'Whether the search index is on.',
  stithy_search_repositories: 'Repositories, also of wikis, that the search index should have.',
  stithy_search_repositories_indexed: 'Repositories that it has; NaN for an external engine.',
  stithy_search_repositories_waiting: 'Repositories that wait to be indexed or checked.',
  stithy_search_lag_seconds: 'Seconds since the first of the changes that they wait for.',
  stithy_info: 'Always 1, with the version.',
} as const
const counters = {
  stithy_jobs_processed_total: 'Finished attempts of jobs, failed ones included.',
  stithy_jobs_failed_total: 'Failed attempts of jobs.',
  stithy_git_processes_started_total: 'Git processes that this server started.',
  stithy_database_queries_total: 'Statements that this server sent to the database.',
  stithy_webhook_deliveries_total: 'Attempts to deliver webhooks, by outcome.',
  stithy_mails_total: 'Attempts to send mails, by outcome.',
} as const
const labels: Readonly<Record<string, readonly string[]>> = {
  stithy_jobs_backlog: ['queue'],
  stithy_jobs_latency_seconds: ['queue'],
  stithy_database_connections: ['state'],
  stithy_info: ['version'],
  stithy_webhook_deliveries_total: ['outcome'],
  stithy_mails_total: ['outcome'],
}

type GaugeName = keyof typeof gauges
type CounterName = keyof typeof counters

/** Sets metrics to what was read. */
interface Setters {
  gauge: (name: GaugeName, value: number, labels?: Record<string, string>) => void
  counter: (name: CounterName, value: number, labels?: Record<string, string>) => void
}

/**
 * Adds what is known of the instance: jobs, workers, git, database, search index, webhooks and mails.
 * Those of jobs, workers, search index, webhooks and mails are of all servers. Returns the function
 * that reads them, in ten queries.
 */
export function createInstanceMetrics(app: App, registry: Registry): () => Promise<void> {
  const registers = [registry]
  const create = { gauges: new Map<string, Gauge>(), counters: new Map<string, Counter>() }
  for (const [name, help] of Object.entries(gauges)) {
    const labelNames = labels[name] ?? []
    create.gauges.set(name, new Gauge({ name, help, registers, labelNames }))
  }
  for (const [name, help] of Object.entries(counters)) {
    const labelNames = labels[name] ?? []
    create.counters.set(name, new Counter({ name, help, registers, labelNames }))
  }
  const set: Setters = {
    gauge: (name, value, of = {}) => create.gauges.get(name)?.set(of, value),
    counter: (name, value, of = {}) => create.counters.get(name)?.inc(of, value),
  }
  return async () => {
    const [jobs, workers, bytes, counted, index] = await Promise.all([
      readJobStatistics(app.db, app.now()),
      listWorkers(app.db, aliveSince(app)),
      readDatabaseSize(app.db),
      readCounters(app.db, sharedCounters),
      readIndexStatus(app),
    ])
    // What is counted elsewhere is set anew; queues may have gone.
    for (const metric of [...create.gauges.values(), ...create.counters.values()]) metric.reset()
    setJobs(set, jobs, workers)
    set.gauge('stithy_event_streams', eventStreamsOf(app).count())
    setGit(set, app)
    setDatabase(set, app, bytes)
    setSearchIndex(set, index)
    for (const name of sharedCounters) {
      const [kind, outcome = ''] = name.split('.')
      const metric = kind === 'mails' ? 'stithy_mails_total' : 'stithy_webhook_deliveries_total'
      set.counter(metric, counted[name], { outcome })
    }
    set.gauge('stithy_info', 1, { version })
  }
}

function setJobs(
  { gauge, counter }: Setters,
  jobs: Awaited<ReturnType<typeof readJobStatistics>>,
  workers: Awaited<ReturnType<typeof listWorkers>>,
): void {
  for (const { queue, backlog, latency } of backlogs(jobs)) {
    gauge('stithy_jobs_backlog', backlog, { queue })
    gauge('stithy_jobs_latency_seconds', latency / 1000, { queue })
  }
  gauge('stithy_jobs_waiting', jobs.enqueued)
  gauge('stithy_jobs_dead', jobs.dead)
  counter('stithy_jobs_processed_total', jobs.processed)
  counter('stithy_jobs_failed_total', jobs.failed)
  const sum = (name: 'busy' | 'concurrency') =>
    workers.reduce((total, worker) => total + worker[name], 0)
  gauge('stithy_workers', workers.length)
  gauge('stithy_workers_concurrency', sum('concurrency'))
  gauge('stithy_workers_busy', sum('busy'))
}

function setGit({ gauge, counter }: Setters, app: App): void {
  const { taken, waiting } = gitTransferSlots(app).counts()
  gauge('stithy_git_processes', app.git.processCount)
  gauge('stithy_git_transfers', taken)
  gauge('stithy_git_transfers_waiting', waiting)
  counter('stithy_git_processes_started_total', app.git.spawnCount)
}

function setDatabase({ gauge, counter }: Setters, { db }: App, bytes: number): void {
  gauge('stithy_database_size_bytes', bytes)
  counter('stithy_database_queries_total', db.stats.queries)
  for (const [state, count] of Object.entries(db.connections?.() ?? {})) {
    gauge('stithy_database_connections', count, { state })
  }
}

function setSearchIndex(
  { gauge }: Setters,
  { isOn, repositories, indexed, waiting, lag }: IndexStatus,
): void {
  gauge('stithy_search_index_enabled', isOn ? 1 : 0)
  gauge('stithy_search_repositories', repositories)
  gauge('stithy_search_repositories_indexed', indexed ?? Number.NaN)
  gauge('stithy_search_repositories_waiting', waiting)
  gauge('stithy_search_lag_seconds', lag / 1000)
}
