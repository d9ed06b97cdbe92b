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

/** Runs one kind of job. A job may run twice, so it must be idempotent. */
export interface JobHandler {
  kind: string
  run: (app: App, payload: unknown, signal: AbortSignal) => Promise<void>
}

/** A job that is enqueued again, one period after the last one started. */
export interface RecurringJob {
  kind: string
  everyMs: number
}

/** Queues that workers serve; their names appear in administrators' statistics. */
const queues = ['default', 'maintenance', 'projects', 'pushes', 'users'] as const
/** Queue of jobs that take minutes: one at a time, so the others keep free slots. */
export const slowQueue = 'housekeeping'
/**
 * Queue of jobs that wait for other servers; it has slots of its own, so it blocks no other queue.
 */
export const outboundQueue = 'webhooks'
const outboundSlots = 8

export interface Worker {
  /** Polls for due jobs now rather than at the next tick. */
  wake: () => void
  /** Resolves when no job is due or running. */
  idle: () => Promise<void>
  /** Takes no new jobs, waits for those that run, and releases those that don't finish. */
  stop: () => Promise<void>
}

export interface WorkerOptions {
  handlers: readonly JobHandler[]
  recurring?: readonly RecurringJob[]
  concurrency?: number
  pollMs?: number
}

const leaseMs = 60_000

/** State of a running worker. */
interface State {
  app: App
  handlers: Handlers
  /** Unique name of this worker. */
  owner: string
  concurrency: number
  running: Set<Promise<void>>
  /** Running jobs of the outbound queue. */
  outbound: Set<Promise<void>>
  /** Whether a job of the slow queue is running. */
  slow: boolean
  stopping: AbortController
  /** The poll in progress. */
  polling: Promise<void> | undefined
  pollMs: number
  /** When expired leases were last released, in milliseconds. */
  expiredAt: number
  /** Whether another poll was requested during one, which may already have passed the new job. */
  pollAgain: boolean
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
    outbound: new Set(),
    slow: false,
    stopping: new AbortController(),
    polling: undefined,
    pollMs,
    expiredAt: Number.NEGATIVE_INFINITY,
    pollAgain: false,
  }
  const timers = [setInterval(() => wake(state), pollMs).unref(), scheduleRecurring(app, recurring)]
  wake(state)
  return {
    wake: () => wake(state),
    idle: () => becomeIdle(state),
    async stop() {
      for (const timer of timers) clearInterval(timer)
      state.stopping.abort()
      await state.polling
      await Promise.all([...state.running, ...state.outbound])
      await releaseJobs(app.db, state.owner)
    },
  }
}

function wake(state: State): void {
  if (state.stopping.signal.aborted) return
  if (state.polling !== undefined) {
    state.pollAgain = true
    return
  }
  state.polling = poll(state)
    .catch((error: unknown) => state.app.log.error({ err: error }, 'the job queue cannot be read'))
    .finally(() => {
      state.polling = undefined
      if (!state.pollAgain) return
      state.pollAgain = false
      wake(state)
    })
}

async function poll(state: State): Promise<void> {
  const { running, outbound, concurrency } = state
  await requeueExpired(state)
  await startJobs(state, running, concurrency, queues)
  await startJobs(state, outbound, outboundSlots, [outboundQueue])
  await pollSlowQueue(state)
}

/** Releases the expired leases of dead workers; not on every poll, which happens for each job. */
async function requeueExpired(state: State): Promise<void> {
  const now = state.app.now()
  if (now - state.expiredAt < state.pollMs) return
  state.expiredAt = now
  await requeueExpiredJobs(state.app.db, now)
}

/** Takes jobs of some queues until none is due, or no slot is free. */
async function startJobs(
  state: State,
  slots: Set<Promise<void>>,
  count: number,
  from: readonly string[],
): Promise<void> {
  const { app, owner, handlers, stopping } = state
  while (!stopping.signal.aborted && slots.size < count) {
    const limit = count - slots.size
    const request = { owner, now: app.now(), lease: leaseMs, limit, queues: from }
    const jobs = await claimJobs(app.db, request)
    if (jobs.length === 0) return
    for (const job of jobs) track(state, runJob(app, handlers, job, stopping.signal), slots)
  }
}

function track(state: State, work: Promise<void>, slots = state.running): void {
  const tracked = work.finally(() => {
    slots.delete(tracked)
    wake(state)
  })
  slots.add(tracked)
}

/** Takes a job of the slow queue when no other job needs the slot. */
async function pollSlowQueue(state: State): Promise<void> {
  const { app, owner, running, stopping, concurrency } = state
  if (stopping.signal.aborted || state.slow || running.size >= concurrency) return
  const request = { owner, now: app.now(), lease: leaseMs, limit: 1, queues: [slowQueue] }
  const [job] = await claimJobs(app.db, request)
  if (job === undefined) return
  state.slow = true
  const work = runJob(app, state.handlers, job, stopping.signal)
  track(
    state,
    work.finally(() => {
      state.slow = false
    }),
  )
}

async function becomeIdle(state: State): Promise<void> {
  wake(state)
  const { running, outbound } = state
  while (state.polling !== undefined || running.size + outbound.size > 0) {
    await state.polling
    await Promise.all([...running, ...outbound])
    // A finished job triggers another poll; let that one run first.
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
  const leaseTimer = setInterval(() => {
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
    clearInterval(leaseTimer)
  }
}

const scheduleEveryMs = 60 * 60_000

/**
 * Keeps one waiting job of each recurring kind in the queue, whatever the result of the last one.
 */
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
  const safeSchedule = () => {
    schedule().catch((error: unknown) =>
      app.log.error({ err: error }, 'recurring jobs cannot be scheduled'),
    )
  }
  safeSchedule()
  return setInterval(safeSchedule, scheduleEveryMs).unref()
}
