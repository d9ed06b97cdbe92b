import { type ClaimedJob, extendLeases } from '@stithy/store'
import type { App } from '../app.ts'

/** A job of this worker. */
export interface HeldJob {
  job: ClaimedJob
  /** Aborts when the worker stops, or when another one may take the job over. */
  controller: AbortController
  /** Timestamp. */
  leaseUntil: number
  /** Its handler records the outcome itself, which ends the lease. */
  settling: boolean
  /** Frees its slot while it runs; false if it keeps it. */
  leaveSlot: () => boolean
}

/** The reason of the signal of a job that another worker may have taken over. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/** The jobs of a worker, claimed or running, whose leases are extended together. */
export interface Leases {
  hold: (job: ClaimedJob) => HeldJob
  drop: (job: ClaimedJob) => void
  /** Aborts all jobs, and ends the extension. */
  stop: () => void
}

/** @param leaseMs milliseconds that the jobs were claimed for; they are extended by as much */
export function keepLeases(app: App, owner: string, leaseMs: number): Leases {
  const held = new Map<number, HeldJob>()
  const timer = setInterval(() => void extend(app, owner, leaseMs, held), leaseMs / 3).unref()
  return {
    hold(job) {
      const leaseUntil = app.now() + leaseMs
      const controller = new AbortController()
      const each = { job, controller, leaseUntil, settling: false, leaveSlot: () => false }
      held.set(job.id, each)
      return each
    },
    drop: ({ id }) => held.delete(id),
    stop() {
      clearInterval(timer)
      for (const { controller } of held.values()) controller.abort()
    },
  }
}

async function extend(
  app: App,
  owner: string,
  leaseMs: number,
  held: ReadonlyMap<number, HeldJob>,
): Promise<void> {
  const asked = [...held.values()]
  if (asked.length === 0) return
  const leaseUntil = app.now() + leaseMs
  try {
    const ids = asked.map(({ job }) => job.id)
    const kept = new Set(await extendLeases(app.db.asyncCommit, { ids, owner }, leaseUntil))
    for (const each of asked) each.leaseUntil = kept.has(each.job.id) ? leaseUntil : 0
  } catch (error) {
    app.log.warn({ err: error }, 'the leases of jobs cannot be extended')
  }
  const now = app.now()
  for (const { job, controller, settling, leaseUntil: until } of held.values()) {
    if (settling || until > now || controller.signal.aborted) continue
    app.log.warn({ job: job.id, kind: job.kind }, 'the lease of a job was lost')
    controller.abort(new LeaseLostError(`another worker may have taken over job ${job.id}`))
  }
}
