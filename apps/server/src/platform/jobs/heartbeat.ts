import { hostname } from 'node:os'
import { deleteLostWorkers, deleteWorker, saveWorker, type WorkerRecord } from '@stithy/store'
import type { App } from '../app.ts'

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
export function startHeartbeat(
  app: App,
  facts: WorkerFacts,
  countBusy: () => number,
): { stop: () => Promise<void> } {
  const startedAt = app.now()
  const beat = async () => {
    const own = { ...facts, hostname: hostname(), pid: process.pid, startedAt, busy: countBusy() }
    try {
      await saveWorker(app.db.asyncCommit, own, app.now())
      await deleteLostWorkers(app.db.asyncCommit, aliveSince(app))
    } catch (error) {
      app.log.warn({ err: error }, 'the heartbeat of a worker cannot be recorded')
    }
  }
  let last = beat()
  const timer = setInterval(() => {
    last = last.then(beat)
  }, everyMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await last
      await deleteWorker(app.db.asyncCommit, facts.id)
    },
  }
}
