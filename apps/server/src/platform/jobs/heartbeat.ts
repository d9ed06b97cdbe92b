import { hostname } from 'node:os'
import { deleteLostWorkers, deleteWorker, saveWorker, type WorkerRecord } from '@stithy/store'
import type { App } from '../app.ts'
import { type Periodic, startPeriodic } from './periodic.ts'

/** How often a worker says that it is alive, in milliseconds. */
const everyMs = 5000
/** A worker that was not heard of for as long is gone, in milliseconds. */
const goneAfterMs = 30_000

/** The timestamp since which a worker was heard of, unless it is gone. */
export function aliveSince(app: App): number {
  return app.now() - goneAfterMs
}

export type WorkerFacts = Pick<WorkerRecord, 'id' | 'tag' | 'queues' | 'labels' | 'concurrency'>

/** Lists a worker among those that run jobs, until it stops or is not heard of any more. */
export function startHeartbeat(app: App, facts: WorkerFacts, countBusy: () => number): Periodic {
  const startedAt = app.now()
  const run = async () => {
    const own = { ...facts, hostname: hostname(), pid: process.pid, startedAt, busy: countBusy() }
    await saveWorker(app.db.asyncCommit, own, app.now())
    await deleteLostWorkers(app.db.asyncCommit, aliveSince(app))
  }
  const failure = 'the heartbeat of a worker cannot be recorded'
  const beats = startPeriodic(app, { everyMs, startsNow: true, run, failure })
  return {
    async stop() {
      await beats.stop()
      await deleteWorker(app.db.asyncCommit, facts.id)
    },
  }
}
