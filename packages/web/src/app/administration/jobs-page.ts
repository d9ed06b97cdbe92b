import type { BacklogHistory, JobStats, SearchIndexStatus, WorkerProcess } from '@stithy/core'
import { card, emptyState } from '../../platform/design/card.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { formatCount } from '../../platform/text/numbers.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { adminPage } from './admin-page.ts'
import { backlogHistory } from './backlog-history.ts'
import { backlogPlot, type Queue } from './backlog-plot.ts'
import { type Figure, figures } from './figures.ts'

/** `GET /admin/jobs`: the backlog of the last day and now, the workers, and the search index. */
export async function showJobs({ client, now }: PageCall): Promise<Reply> {
  const [metrics, history, index] = await loadAll([
    client.jobQueue.compoundMetrics(),
    client.jobQueue.backlogHistory(),
    client.searchIndex.show(),
  ])
  const queues = Object.entries(metrics.queues).map(([queue, each]) => ({ queue, ...each }))
  return adminPage({
    area: 'jobs',
    body: html`${card({ title: 'Last 24 hours', body: lastDay(history, now) })}
${card({ title: 'Now', body: present(queues, metrics.jobs, history.dead) })}
${card({ title: 'Queues', body: queueTable(queues), isFlush: true })}
${card({ title: 'Workers', body: workerTable(metrics.processes, now), isFlush: true })}
${card({ title: 'Search index', body: indexFigures(index), isFlush: true })}`,
  })
}

function lastDay({ samples }: BacklogHistory, now: number): Html {
  if (samples.length === 0) return html`<p>The first minute has not been recorded yet.</p>`
  return html`${backlogHistory(samples, now, {
    title: 'Due jobs',
    value: ({ backlog }) => backlog,
    format: formatCount,
  })}${backlogHistory(samples, now, {
    title: 'Longest wait',
    value: ({ latency }) => latency,
    format: (seconds) => `${formatCount(seconds)} s`,
  })}<p class="muted small">Times are in UTC.</p>`
}

function present(queues: readonly Queue[], { processed, failed }: JobStats, dead: number): Html {
  const isWaiting = queues.some(({ backlog }) => backlog > 0)
  return html`${isWaiting ? backlogPlot(queues) : html`<p>No job is due.</p>`}
<p>${formatCount(processed)} attempts have finished, ${formatCount(failed)} of them failed; ${formatCount(dead)} jobs were given up.</p>`
}

function queueTable(queues: readonly Queue[]): Html {
  return dataTable({
    label: 'Queues',
    columns: [
      { text: 'Queue' },
      { text: 'Due jobs', kind: 'number' },
      { text: 'Latency', kind: 'number' },
    ],
    rows: queues.map(({ queue, backlog, latency }) => [
      queue,
      formatCount(backlog),
      `${formatCount(latency)} s`,
    ]),
  })
}

function workerTable(workers: readonly WorkerProcess[], now: number): Html {
  if (workers.length === 0) {
    return emptyState({ title: 'No worker is running', text: 'Jobs wait until one is started.' })
  }
  return dataTable({
    label: 'Workers',
    columns: [
      { text: 'Host' },
      { text: 'Process', kind: 'number' },
      { text: 'Kind' },
      { text: 'Started' },
      { text: 'Busy', kind: 'number' },
      { text: 'Queues' },
    ],
    rows: workers.map(({ hostname, pid, tag, started_at, busy, concurrency, queues }) => [
      hostname,
      pid,
      tag,
      timeAgo(started_at, now),
      `${busy} of ${concurrency}`,
      queues.join(', '),
    ]),
  })
}

function indexFigures({ enabled, repositories, indexed, waiting, lag }: SearchIndexStatus): Html {
  if (!enabled) {
    return html`<div class="body">It is switched off by the setting <code>searchengine_indexing</code>.</div>`
  }
  const list: Figure[] = [
    ['Repositories to index', formatCount(repositories)],
    ['Indexed', indexed === null ? 'unknown' : formatCount(indexed)],
    ['Waiting', formatCount(waiting)],
    ['Longest wait', `${formatCount(lag)} s`],
  ]
  return figures('Search index', list)
}
