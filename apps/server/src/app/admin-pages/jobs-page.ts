import {
  type JobSample,
  listJobSamples,
  listWorkers,
  type QueueStatistics,
  readJobStatistics,
  type WorkerRecord,
} from '@stithy/store'
import { type Html, html } from '@stithy/web'
import type { FastifyInstance } from 'fastify'
import { type IndexStatus, readIndexStatus } from '../../activity/search-index/index-status.ts'
import type { App } from '../../platform/app.ts'
import { aliveSince } from '../../platform/jobs/heartbeat.ts'
import { backlogs } from '../../platform/jobs/job-queue.presenter.ts'
import { firstSampledMinute, sampledMinutes } from '../../platform/jobs/job-samples.ts'
import { adminOnly, adminPath, sendAdminPage } from './admin-page.ts'
import { backlogHistory } from './backlog-history.ts'
import { backlogPlot } from './backlog-plot.ts'
import { formatCount, formatTime } from './formats.ts'

const path = `${adminPath}/jobs` as const

/** Registers the page of background jobs: the backlog of each queue, workers and totals. */
export function registerJobsPage(server: FastifyInstance, app: App): void {
  server.get(
    path,
    adminOnly(async (_request, reply, session) => {
      const first = firstSampledMinute(app)
      const [statistics, workers, samples, index] = await Promise.all([
        readJobStatistics(app.db, app.now()),
        listWorkers(app.db, aliveSince(app)),
        listJobSamples(app.db, first),
        readIndexStatus(app),
      ])
      const queues = backlogs(statistics)
      const isWaiting = queues.some(({ backlog }) => backlog > 0)
      const { processed, failed, dead } = statistics
      return sendAdminPage(reply, session, {
        path,
        title: 'Jobs',
        body: html`<section><h2>Last 24 hours</h2>${history(samples, first)}</section>
<section><h2>Now</h2>${isWaiting && backlogPlot(queues)}
<p>${formatCount(processed)} attempts have finished, ${formatCount(failed)} of them failed; ${formatCount(dead)} jobs were given up.</p></section>
<section class="scroll"><h2>Queues</h2>${queueTable(queues)}</section>
<section class="scroll"><h2>Workers</h2>${workerTable(workers)}</section>
<section><h2>Search index</h2>${searchIndex(index)}</section>`,
      })
    }),
  )
}

function history(samples: readonly JobSample[], first: number): Html {
  if (samples.length === 0) return html`<p>The first minute has not been recorded yet.</p>`
  const span = { first, count: sampledMinutes }
  return html`${backlogHistory(samples, span, {
    title: 'Due jobs',
    value: ({ backlog }) => backlog,
    format: formatCount,
  })}${backlogHistory(samples, span, {
    title: 'Longest wait',
    value: ({ latency }) => Math.ceil(latency / 1000),
    format: (seconds) => `${formatCount(seconds)} s`,
  })}<p>Times are in UTC.</p>`
}

function queueTable(queues: readonly QueueStatistics[]): Html {
  const rows = queues.map(
    ({ queue, backlog, latency }) => html`<tr><td>${queue}</td>
<td class="number">${formatCount(backlog)}</td><td class="number">${formatCount(Math.floor(latency / 1000))} s</td></tr>
`,
  )
  return html`<table>
<thead><tr><th scope="col">Queue</th><th scope="col" class="number">Due jobs</th><th scope="col" class="number">Latency</th></tr></thead>
<tbody>${rows}</tbody>
</table>`
}

function workerTable(workers: readonly WorkerRecord[]): Html {
  if (workers.length === 0) return html`<p>No worker is running.</p>`
  const rows = workers.map(
    ({ hostname, pid, tag, startedAt, busy, concurrency, queues }) => html`<tr>
<td>${hostname}</td><td class="number">${pid}</td><td>${tag}</td><td class="time">${formatTime(startedAt)}</td>
<td class="number">${busy} of ${concurrency}</td><td>${queues.join(', ')}</td></tr>
`,
  )
  return html`<table>
<thead><tr><th scope="col">Host</th><th scope="col" class="number">Process</th><th scope="col">Kind</th><th scope="col">Started</th><th scope="col" class="number">Busy</th><th scope="col">Queues</th></tr></thead>
<tbody>${rows}</tbody>
</table>`
}

function searchIndex({ isOn, repositories, indexed, waiting, lag }: IndexStatus): Html {
  if (!isOn) return html`<p>It is switched off by the setting searchengine_indexing.</p>`
  const seconds = formatCount(Math.floor(lag / 1000))
  return html`<table><tbody><tr><th scope="row">Repositories to index</th><td class="number">${formatCount(repositories)}</td></tr>
<tr><th scope="row">Indexed</th><td class="number">${indexed === undefined ? 'unknown' : formatCount(indexed)}</td></tr>
<tr><th scope="row">Waiting</th><td class="number">${formatCount(waiting)}</td></tr>
<tr><th scope="row">Longest wait</th><td class="number">${seconds} s</td></tr></tbody></table>`
}
