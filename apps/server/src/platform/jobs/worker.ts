import { randomUUID } from 'node:crypto'
import { claimJobs, findDueQueues, releaseJobs, requeueExpiredJobs } from '@stithy/store'
import type { App } from '../app.ts'
import { type RecurringJob, scheduleRecurring } from './recurring-jobs.ts'
import { type JobHandler, runJob } from './run-job.ts'

/** Queues that workers serve; their names appear in administrators' statistics. */
const queues = ['default', 'maintenance', 'merge-requests', 'projects', 'pushes', 'users'] as const
/**
 * Queue of jobs that take minutes: one at a time, when no other job needs the slot, so the others
 * keep free slots.
 */
export const slowQueue = 'housekeeping'
/**
 * Queue of jobs that wait for other servers; it has separate slots, so it blocks no other queue.
 */
export const outboundQueue = 'webhooks'
/** Queue of transfers from other servers, which take minutes; it has separate slots too. */
export const importQueue = 'imports'
/** How many jobs of these queues run at the same time, beside those of all others. */
const separateSlots = { [outboundQueue]: 8, [importQueue]: 4 } as const
type SeparateQueue = keyof typeof separateSlots
const separateQueues: readonly SeparateQueue[] = [outboundQueue, importQueue]
const allQueues = [...queues, slowQueue, ...separateQueues]

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
  /** Running jobs of the queues with separate slots. */
  separate: Record<SeparateQueue, Set<Promise<void>>>
  /** Whether a job of the slow queue is running. */
  slow: boolean
  /** The queues that had a turn, the latest last. */
  served: Set<string>
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
    separate: { [outboundQueue]: new Set(), [importQueue]: new Set() },
    slow: false,
    served: new Set(),
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
      await Promise.all(runningJobs(state))
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

/**
 * Claims due jobs for the free slots, and runs them: the queues take turns, so that many jobs of one
 * don't hold up the others. One read if nothing is due.
 */
async function startDueJobs(state: State): Promise<void> {
  const { app, separate } = state
  const due = await findDueQueues(app.db, { queues: allQueues, now: app.now() })
  for (const queue of separateQueues.filter((name) => due.includes(name))) {
    const slots = separate[queue]
    await startJobs(state, queue, { slots, limit: separateSlots[queue] - slots.size })
  }
  const isServed = await startInTurn(state, due)
  if (isServed && !state.slow && due.includes(slowQueue)) {
    await startJobs(state, slowQueue, { slots: state.running, limit: 1 })
  }
}

/** Returns whether a slot is left that no job of these queues needs. */
async function startInTurn(state: State, due: readonly string[]): Promise<boolean> {
  const { running, concurrency } = state
  const sharing = inTurn(state, due)
  let hasMore = false
  for (const [at, queue] of sharing.entries()) {
    const limit = Math.ceil((concurrency - running.size) / (sharing.length - at))
    const started = await startJobs(state, queue, { slots: running, limit })
    hasMore ||= started === limit
  }
  if (running.size >= concurrency) return false
  // Others had fewer jobs than their share.
  if (hasMore) state.pollAgain = true
  return !hasMore
}

/** The due queues that share the slots, in the order of their turns. */
function inTurn({ served }: State, due: readonly string[]): string[] {
  const turns = [...served]
  return due
    .filter((queue) => queue !== slowQueue && !separateQueues.some((name) => name === queue))
    .toSorted((a, b) => turns.indexOf(a) - turns.indexOf(b))
}

/**
 * Returns how many jobs were started. One that doesn't fit is claimed once another one is done, which
 * triggers the next poll.
 */
async function startJobs(
  state: State,
  queue: string,
  { slots, limit }: { slots: Set<Promise<void>>; limit: number },
): Promise<number> {
  const { app, owner, handlers, stopping, served } = state
  if (limit <= 0 || stopping.signal.aborted) return 0
  const claim = { queue, owner, now: app.now(), lease: leaseMs, limit }
  const jobs = await claimJobs(app.db.asyncCommit, claim)
  served.delete(queue)
  served.add(queue)
  for (const job of jobs) {
    const work = runJob({ app, handlers, leaseMs, signal: stopping.signal }, job)
    track(state, queue === slowQueue ? trackSlow(state, work) : work, slots)
  }
  return jobs.length
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
  while (state.polling !== undefined || runningJobs(state).length > 0) {
    await state.polling
    await Promise.all(runningJobs(state))
    // A finished job triggers another poll; let that one run first.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function runningJobs({ running, separate }: State): Promise<void>[] {
  return [...running, ...separateQueues.flatMap((queue) => [...separate[queue]])]
}
