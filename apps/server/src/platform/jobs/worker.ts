import { randomUUID } from 'node:crypto'
import { claimJobs, findDueQueues, releaseJobs, requeueExpiredJobs } from '@stithy/store'
import type { App } from '../app.ts'
import { type RecurringJob, scheduleRecurring } from './recurring-jobs.ts'
import { type JobHandler, runJob } from './run-job.ts'

/** Queues that workers serve; their names appear in administrators' statistics. */
const queues = ['default', 'maintenance', 'projects', 'pushes', 'users'] as const
/** Queue of jobs that take minutes: one at a time, so the others keep free slots. */
export const slowQueue = 'housekeeping'
/**
 * Queue of jobs that wait for other servers; it has separate slots, so it blocks no other queue.
 */
export const outboundQueue = 'webhooks'
const outboundSlots = 8
const allQueues = [...queues, slowQueue, outboundQueue]

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
  handlers: ReadonlyMap<string, JobHandler>
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
      await releaseJobs(app.db.asyncCommit, state.owner)
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
  await requeueExpired(state)
  await startDueJobs(state)
}

/** Releases the expired leases of dead workers; not on every poll, which happens for each job. */
async function requeueExpired(state: State): Promise<void> {
  const now = state.app.now()
  if (now - state.expiredAt < state.pollMs) return
  state.expiredAt = now
  await requeueExpiredJobs(state.app.db.asyncCommit, now)
}

/** Claims due jobs for the free slots, and runs them. One read if nothing is due. */
async function startDueJobs(state: State): Promise<void> {
  const { app, running, outbound, concurrency, stopping } = state
  const due = await findDueQueues(app.db, { queues: allQueues, now: app.now() })
  for (const queue of due.toSorted(slowQueueLast)) {
    if (stopping.signal.aborted) return
    if (queue === outboundQueue) {
      await startJobs(state, queue, { slots: outbound, limit: outboundSlots - outbound.size })
    } else {
      const free = concurrency - running.size
      const limit = queue === slowQueue ? Math.min(free, state.slow ? 0 : 1) : free
      await startJobs(state, queue, { slots: running, limit })
    }
  }
}

/** A job of the slow queue runs when no other job needs the slot. */
function slowQueueLast(a: string, b: string): number {
  return Number(a === slowQueue) - Number(b === slowQueue)
}

/** A job that doesn't fit is claimed once another one is done, which triggers the next poll. */
async function startJobs(
  state: State,
  queue: string,
  { slots, limit }: { slots: Set<Promise<void>>; limit: number },
): Promise<void> {
  if (limit <= 0) return
  const { app, owner, handlers, stopping } = state
  const claim = { queue, owner, now: app.now(), lease: leaseMs, limit }
  const jobs = await claimJobs(app.db.asyncCommit, claim)
  for (const job of jobs) {
    const work = runJob({ app, handlers, leaseMs, signal: stopping.signal }, job)
    track(state, queue === slowQueue ? trackSlow(state, work) : work, slots)
  }
}

function trackSlow(state: State, work: Promise<void>): Promise<void> {
  state.slow = true
  return work.finally(() => {
    state.slow = false
  })
}

function track(state: State, work: Promise<void>, slots: Set<Promise<void>>): void {
  const tracked = work.finally(() => {
    slots.delete(tracked)
    wake(state)
  })
  slots.add(tracked)
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
