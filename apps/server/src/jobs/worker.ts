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
/** The queue of work that takes minutes: one at a time, which leaves room for all else. */
export const slowQueue = 'upkeep'
/** The queue of work that waits for other servers: in places of its own, where it holds up nothing else. */
export const outboundQueue = 'webhooks'
const outboundPlaces = 8

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
  /** Jobs of the outbound queue. */
  outbound: Set<Promise<void>>
  /** Whether a job of the slow queue is among those that run. */
  slow: boolean
  stopping: AbortController
  /** The look into the queue that is under way. */
  looking: Promise<void> | undefined
  pollMs: number
  /** When leases were looked at last, in milliseconds. */
  expiredAt: number
  /** Whether somebody asked for a look while one was under way, which may have passed what they mean. */
  again: boolean
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
    looking: undefined,
    pollMs,
    expiredAt: Number.NEGATIVE_INFINITY,
    again: false,
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
      await Promise.all([...state.running, ...state.outbound])
      await releaseJobs(app.db, state.owner)
    },
  }
}

function wake(state: State): void {
  if (state.stopping.signal.aborted) return
  if (state.looking !== undefined) {
    state.again = true
    return
  }
  state.looking = look(state)
    .catch((error: unknown) => state.app.log.error({ err: error }, 'the job queue cannot be read'))
    .finally(() => {
      state.looking = undefined
      if (!state.again) return
      state.again = false
      wake(state)
    })
}

async function look(state: State): Promise<void> {
  const { running, outbound, concurrency } = state
  await takeBackExpired(state)
  await fill(state, running, concurrency, queues)
  await fill(state, outbound, outboundPlaces, [outboundQueue])
  await lookForSlow(state)
}

/** Puts back what vanished workers held; not at every look, of which there is one for each job. */
async function takeBackExpired(state: State): Promise<void> {
  const now = state.app.now()
  if (now - state.expiredAt < state.pollMs) return
  state.expiredAt = now
  await requeueExpiredJobs(state.app.db, now)
}

/** Takes jobs of some queues until there is none, or no place of theirs is free. */
async function fill(
  state: State,
  places: Set<Promise<void>>,
  count: number,
  from: readonly string[],
): Promise<void> {
  const { app, owner, handlers, stopping } = state
  while (!stopping.signal.aborted && places.size < count) {
    const limit = count - places.size
    const request = { owner, now: app.now(), lease: leaseMs, limit, queues: from }
    const jobs = await claimJobs(app.db, request)
    if (jobs.length === 0) return
    for (const job of jobs) track(state, runJob(app, handlers, job, stopping.signal), places)
  }
}

function track(state: State, work: Promise<void>, places = state.running): void {
  const tracked = work.finally(() => {
    places.delete(tracked)
    wake(state)
  })
  places.add(tracked)
}

/** Takes a job of the slow queue where nothing else wants the place. */
async function lookForSlow(state: State): Promise<void> {
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
  while (state.looking !== undefined || running.size + outbound.size > 0) {
    await state.looking
    await Promise.all([...running, ...outbound])
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
