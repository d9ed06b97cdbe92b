import { randomUUID } from 'node:crypto'
import type { App } from '../app.ts'
import { type ClaimedJobs, createClaimedJobs } from './claimed-jobs.ts'
import { type Completions, createCompletions } from './completions.ts'
import { keepLeases, type Leases } from './leases.ts'
import {
  allQueues,
  importQueue,
  mailQueue,
  outboundQueue,
  type SeparateQueue,
  searchQueue,
  separateQueues,
  separateSlots,
  slowOutboundQueue,
} from './queues.ts'
import type { RecurringJob } from './recurring-jobs.ts'
import type { JobHandler } from './run-job.ts'

export interface WorkerOptions {
  handlers: readonly JobHandler[]
  recurring?: readonly RecurringJob[]
  concurrency?: number
  pollMs?: number
  /** Milliseconds until another worker may take over the jobs of one that was killed. */
  leaseMs?: number
  /** Default: all. */
  queues?: readonly string[]
  /** Lists the worker among those that run jobs. */
  registration?: { tag: 'server' | 'worker'; labels: readonly string[] }
}

/** State of a running worker. */
export interface WorkerState {
  app: App
  handlers: ReadonlyMap<string, JobHandler>
  /** Unique name of this worker. */
  owner: string
  /** The queues that it serves. */
  queues: readonly string[]
  concurrency: number
  leaseMs: number
  leases: Leases
  completions: Completions
  running: Set<Promise<void>>
  /** Claimed jobs of the queues that share the slots. */
  claimed: ClaimedJobs
  /** When the last of them started, in milliseconds. */
  startedAt: number
  /** Running jobs of the queues with separate slots. */
  separate: Record<SeparateQueue, Set<Promise<void>>>
  /** Jobs that run without a slot, since they wait for servers that take long. */
  waiting: Set<Promise<void>>
  /** Whether a job of the slow queue is running. */
  slow: boolean
  stopping: boolean
  /** The poll in progress. */
  polling: Promise<void> | undefined
  /** When expired leases were last released, in milliseconds. */
  expiredAt: number
  /** Whether another poll was requested during one, which may already have passed the new job. */
  pollAgain: boolean
  /** The queues of which there may be more than was claimed. */
  unfinished: Set<string>
  /** Those of them that have nothing left to start: the next poll comes before the turns of others. */
  starving: Set<string>
  /** When this turn of the event loop began, as far as known, in milliseconds. */
  turnAt: number
  /** Whether jobs start in the next turn of the event loop. */
  isDeferred: boolean
}

export function createState(app: App, options: WorkerOptions): WorkerState {
  const { concurrency = 2, leaseMs = 60_000 } = options
  const owner = randomUUID()
  return {
    app,
    handlers: new Map(options.handlers.map((handler) => [handler.kind, handler])),
    owner,
    queues: options.queues ?? allQueues,
    concurrency,
    leaseMs,
    leases: keepLeases(app, owner, leaseMs),
    completions: createCompletions(app, owner),
    running: new Set(),
    claimed: createClaimedJobs(),
    startedAt: 0,
    separate: {
      [outboundQueue]: new Set(),
      [slowOutboundQueue]: new Set(),
      [importQueue]: new Set(),
      [mailQueue]: new Set(),
      [searchQueue]: new Set(),
    },
    waiting: new Set(),
    slow: false,
    stopping: false,
    polling: undefined,
    expiredAt: Number.NEGATIVE_INFINITY,
    pollAgain: false,
    unfinished: new Set(),
    starving: new Set(),
    turnAt: Number.NEGATIVE_INFINITY,
    isDeferred: false,
  }
}

/** The queues of a worker, and how many jobs it runs at the same time. */
export function capacityOf({ queues: served, concurrency }: WorkerState) {
  const separate = separateQueues.filter((queue) => served.includes(queue))
  const slots = separate.reduce((sum, queue) => sum + separateSlots[queue], 0)
  return {
    queues: served,
    concurrency: slots + (separate.length === served.length ? 0 : concurrency),
  }
}

/** The running jobs of all queues. */
export function runningJobs(state: WorkerState): Promise<void>[] {
  return [...jobsWithSlots(state), ...state.waiting]
}

/** The running jobs that count against the concurrency of the worker. */
export function jobsWithSlots({ running, separate }: WorkerState): Promise<void>[] {
  return [...running, ...separateQueues.flatMap((queue) => [...separate[queue]])]
}
