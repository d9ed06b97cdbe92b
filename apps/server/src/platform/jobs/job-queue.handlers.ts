import type { jobQueueContract } from '@stithy/core'
import { listJobSamples, listWorkers, readJobStatistics } from '@stithy/store'
import type { App } from '../app.ts'
import type { Handlers } from '../http/call.ts'
import { aliveSince } from './heartbeat.ts'
import {
  presentHistory,
  presentJobs,
  presentProcesses,
  presentQueues,
} from './job-queue.presenter.ts'
import { firstSampledMinute } from './job-samples.ts'

/** Each takes four queries at most. */
export const jobQueueHandlers: Handlers<typeof jobQueueContract> = {
  queueMetrics: async ({ app }) => presentQueues(await statisticsOf(app)),
  processMetrics: async ({ app }) => presentProcesses(await workersOf(app)),
  jobStats: async ({ app }) => presentJobs(await statisticsOf(app)),
  async compoundMetrics({ app }) {
    const [statistics, workers] = await Promise.all([statisticsOf(app), workersOf(app)])
    return {
      ...presentQueues(statistics),
      ...presentProcesses(workers),
      ...presentJobs(statistics),
    }
  },
  async backlogHistory({ app }) {
    const [statistics, samples] = await Promise.all([
      statisticsOf(app),
      listJobSamples(app.db, firstSampledMinute(app)),
    ])
    return presentHistory(statistics, samples)
  },
}

function statisticsOf({ db, now }: App) {
  return readJobStatistics(db, now())
}

function workersOf(app: App) {
  return listWorkers(app.db, aliveSince(app))
}
