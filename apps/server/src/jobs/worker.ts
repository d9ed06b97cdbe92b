import { randomUUID } from 'node:crypto'
import {
  type ClaimedJob,
  claimJobs,
  completeJob,
  enqueueUnlessWaiting,
  extendLease,
  failJob,
  releaseJobs,
  requeueExpiredJobs,
} from '@stithy/store'
import type { App } from '../app.ts'

/** What runs for one kind of job. It may run twice, so it must not mind finding its work done. */
export interface JobHandler {
  kind: string
  run: (app: App, payload: unknown, signal: AbortSignal) => Promise<void>
}

/** A job that comes again, one period after the last one began. */
export interface RecurringJob {
  kind: string
  everyMs: number
}

/** The queues that workers serve; their names show in the figures of administrators. */
const queues = ['default', 'maintenance', 'projects', 'pushes', 'users'] as const

export interface Worker {
  /** Looks for due jobs now rather than at the next tick. */
  wake: () => void
  /** Resolves when nothing is due or running. */
  idle: () => Promise<void>
  /** Takes no new jobs, waits for those that run, and gives back what it could not finish. */
  stop: () => Promise<void>
}

export interface WorkerOptions {
  handlers: readonly JobHandler[]
  recurring?: readonly RecurringJob[]
  concurrency?: number
  pollMs?: number
}

const leaseMs = 60_000

/** What a worker knows while it runs. */
interface State {
  app: App
  handlers: Handlers
  /** A name that no other worker has. */
  owner: string
  concurrency: number
  running: Set<Promise<void>>
  stopping: AbortController
  /** The look into the queue that is under way. */
  looking: Promise<void> | undefined
}

/** Runs jobs from the database in this process; several processes may work on the same queues. */
export function startWorker(app: App, options: WorkerOptions): Worker {
  const { concurrency = 2, pollMs = 1000, recurring = [] } = options
  const state: State = {
    app,
    handlers: new Map(options.handlers.map((handler) => [handler.kind, handler])),
    owner: randomUUID(),
    concurrency,
    running: new Set(),
    stopping: new AbortController(),
    looking: undefined,
  }
  const timers = [setInterval(() => wake(state), pollMs).unref(), scheduleRecurring(app, recurring)]
  wake(state)
  return {
    wake: () => wake(state),
    idle: () => becomeIdle(state),
    async stop() {
      for (const timer of timers) clearInterval(timer)
      state.stopping.abort()
      await state.looking
      await Promise.all(state.running)
      await releaseJobs(app.db, state.owner)
    },
  }
}

function wake(state: State): void {
  if (state.stopping.signal.aborted || state.looking !== undefined) return
  state.looking = look(state)
    .catch((error: unknown) => state.app.log.error({ err: error }, 'the job queue cannot be read'))
    .finally(() => {
      state.looking = undefined
    })
}

async function look(state: State): Promise<void> {
  const { app, owner, running, stopping, concurrency } = state
  await requeueExpiredJobs(app.db, app.now())
  while (!stopping.signal.aborted && running.size < concurrency) {
    const limit = concurrency - running.size
    const jobs = await claimJobs(app.db, { owner, now: app.now(), lease: leaseMs, limit, queues })
    if (jobs.length === 0) return
    for (const job of jobs) track(state, runJob(app, state.handlers, job, stopping.signal))
  }
}

function track(state: State, work: Promise<void>): void {
  const tracked = work.finally(() => {
    state.running.delete(tracked)
    wake(state)
  })
  state.running.add(tracked)
}

async function becomeIdle(state: State): Promise<void> {
  wake(state)
  while (state.looking !== undefined || state.running.size > 0) {
    await state.looking
    await Promise.all(state.running)
    // A job that ended wakes the queue once more; give that look its turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

type Handlers = ReadonlyMap<string, JobHandler>

async function runJob(
  app: App,
  handlers: Handlers,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<void> {
  const keeper = setInterval(() => {
    extendLease(app.db, job, app.now() + leaseMs).catch((error: unknown) =>
      app.log.warn({ err: error, job: job.id }, 'the lease of a job cannot be extended'),
    )
  }, leaseMs / 3)
  try {
    const handler = handlers.get(job.kind)
    if (handler === undefined) throw new Error(`no handler for jobs of kind ${job.kind}`)
    await handler.run(app, job.payload, signal)
    await completeJob(app.db, job, app.now())
  } catch (error) {
    app.log.warn({ err: error, job: job.id, kind: job.kind }, 'a job failed')
    const text = error instanceof Error ? error.message : String(error)
    await failJob(app.db, job, text, app.now()).catch((storeError: unknown) =>
      app.log.error({ err: storeError, job: job.id }, 'a failed job cannot be recorded'),
    )
  } finally {
    clearInterval(keeper)
  }
}

const scheduleEveryMs = 60 * 60_000

/** Keeps one waiting job of each recurring kind in the queue, whatever became of the last one. */
function scheduleRecurring(app: App, recurring: readonly RecurringJob[]): NodeJS.Timeout {
  const schedule = async () => {
    for (const { kind, everyMs } of recurring) {
      await app.db.transaction((tx) => {
        const now = app.now()
        const job = { queue: 'maintenance', kind, payload: null, runAt: now + everyMs }
        return enqueueUnlessWaiting(tx, job, now)
      })
    }
  }
  const guarded = () => {
    schedule().catch((error: unknown) =>
      app.log.error({ err: error }, 'recurring jobs cannot be scheduled'),
    )
  }
  guarded()
  return setInterval(guarded, scheduleEveryMs).unref()
}
