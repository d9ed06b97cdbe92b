import {
  type ClaimedJob,
  completeJob,
  failJob,
  type Transaction,
  withRequestId,
} from '@stithy/store'
import type { App } from '../app.ts'
import { type HeldJob, LeaseLostError } from './leases.ts'

/** Runs one kind of job. A job may run twice, so it must be idempotent. */
export interface JobHandler {
  kind: string
  run: (app: App, payload: unknown, signal: AbortSignal, job: JobOutcome) => Promise<void>
}

/**
 * Records the outcome of a job in a transaction of its handler, with what it wrote; otherwise it is
 * recorded after the handler returns or throws.
 */
export interface JobOutcome {
  complete: (tx: Transaction) => Promise<void>
  /** Reschedules the job, unless this was its last attempt. */
  fail: (tx: Transaction, error: string) => Promise<void>
  /**
   * Lets another job of the queue start while this one waits for a server that takes long. False
   * if as many wait already that this one should end.
   */
  leaveSlot: () => boolean
}

export interface JobContext {
  app: App
  handlers: ReadonlyMap<string, JobHandler>
  /** Records that a job is done, soon after. */
  complete: (job: ClaimedJob) => void
}

/**
 * Runs a claimed job. Never rejects. One that fails because of its signal stays claimed: whoever
 * gave the signal releases it.
 */
export async function runJob(context: JobContext, held: HeldJob): Promise<void> {
  const { app, handlers } = context
  const { job, controller } = held
  const { signal } = controller
  const outcome = createOutcome(app, held)
  const names = { job: job.id, kind: job.kind, request_id: job.requestId ?? undefined }
  try {
    const handler = handlers.get(job.kind)
    if (handler === undefined) throw new Error(`no handler for jobs of kind ${job.kind}`)
    // Also without a request: otherwise it would be the one that woke the worker.
    await withRequestId(job.requestId, () => handler.run(app, job.payload, signal, outcome))
    if (!outcome.isRecorded()) context.complete(job)
  } catch (error) {
    if (signal.aborted) {
      // The worker releases it when it has stopped, so it is repeated.
      app.log.debug({ err: error, ...names }, 'a job was interrupted')
      return
    }
    app.log.warn({ err: error, ...names }, 'a job failed')
    if (outcome.isRecorded()) return
    const text = error instanceof Error ? error.message : String(error)
    await failJob(app.db.asyncCommit, job, text, app.now()).catch((storeError: unknown) =>
      app.log.error({ err: storeError, ...names }, 'a failed job cannot be recorded'),
    )
  }
}

function createOutcome(app: App, held: HeldJob): JobOutcome & { isRecorded: () => boolean } {
  const { job } = held
  let recorded = false
  // `LeaseLostError` rolls back what the handler wrote.
  async function record(tx: Transaction, ours: Promise<boolean>): Promise<void> {
    held.settling = true
    if (!(await ours)) throw new LeaseLostError(`another worker has taken over job ${job.id}`)
    tx.onCommit(() => {
      recorded = true
    })
  }
  return {
    complete: (tx) => record(tx, completeJob(tx, job, app.now())),
    fail: (tx, error) => record(tx, failJob(tx, job, error, app.now())),
    leaveSlot: () => held.leaveSlot(),
    isRecorded: () => recorded,
  }
}
