import { releaseJobs, returnJobs } from '@stithy/store'
import type { App } from '../app.ts'
import { startHeartbeat } from './heartbeat.ts'
import { startSampling } from './job-samples.ts'
import { wake } from './polling.ts'
import { scheduleRecurring } from './recurring-jobs.ts'
import {
  capacityOf,
  createState,
  jobsWithSlots,
  runningJobs,
  type WorkerOptions,
  type WorkerState,
} from './worker-state.ts'

export interface Worker {
  /** Polls for due jobs now rather than at the next tick. */
  wake: () => void
  /** Resolves when no job is due or running. */
  idle: () => Promise<void>
  /** Takes no new jobs, waits for those that run, and releases those that don't finish. */
  stop: () => Promise<void>
}

/** Claimed jobs are released for other workers if they don't start within as long, in milliseconds. */
const waitMs = 1000

/** Runs jobs from the database in this process; several processes may work on the same queues. */
export function startWorker(app: App, options: WorkerOptions): Worker {
  const { pollMs = 1000, recurring = [], registration } = options
  const state = createState(app, options)
  const polling = setInterval(() => tick(state), pollMs).unref()
  const scheduling = scheduleRecurring(app, recurring)
  const heartbeat =
    registration &&
    startHeartbeat(app, { id: state.owner, ...registration, ...capacityOf(state) }, () => {
      return jobsWithSlots(state).length
    })
  const sampling = registration && startSampling(app)
  wake(state)
  return {
    wake: () => wake(state),
    idle: () => becomeIdle(state),
    async stop() {
      clearInterval(polling)
      state.stopping = true
      state.claimed.clear()
      state.leases.stop()
      await state.polling
      await Promise.all(runningJobs(state))
      await state.completions.recorded()
      await releaseJobs(app.db.asyncCommit, state.owner)
      await scheduling.stop()
      await sampling?.stop()
      await heartbeat?.stop()
    },
  }
}

function tick(state: WorkerState): void {
  const { app, claimed, owner, leases } = state
  if (claimed.count() > 0 && performance.now() - state.startedAt > waitMs) {
    const jobs = claimed.clear().map(({ job }) => job)
    for (const job of jobs) leases.drop(job)
    returnJobs(app.db.asyncCommit, { ids: jobs.map(({ id }) => id), owner }).catch(
      (error: unknown) => app.log.warn({ err: error }, 'claimed jobs cannot be released'),
    )
  }
  wake(state)
}

async function becomeIdle(state: WorkerState): Promise<void> {
  wake(state)
  while (isBusy(state)) {
    await state.polling
    await Promise.all(runningJobs(state))
    await state.completions.recorded()
    // A finished job triggers another poll; let that one run first.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function isBusy(state: WorkerState): boolean {
  return state.polling !== undefined || state.claimed.count() > 0 || runningJobs(state).length > 0
}
