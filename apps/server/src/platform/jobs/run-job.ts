import { type ClaimedJob, completeJob, extendLease, failJob, type Transaction } from '@stithy/store'
import type { App } from '../app.ts'

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
}

export interface JobContext {
  app: App
  handlers: ReadonlyMap<string, JobHandler>
  /** Milliseconds. */
  leaseMs: number
  signal: AbortSignal
}

/** Thrown when another worker has taken over the job, to roll back what this one wrote. */
class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/**
 * Runs a claimed job, and extends its lease meanwhile. Never rejects. One that fails because of the
 * signal stays claimed: whoever gave the signal releases it.
 */
export async function runJob(context: JobContext, job: ClaimedJob): Promise<void> {
  const { app, handlers, leaseMs, signal } = context
  const leaseTimer = setInterval(() => {
    extendLease(app.db.asyncCommit, job, app.now() + leaseMs).catch((error: unknown) =>
      app.log.warn({ err: error, job: job.id }, 'the lease of a job cannot be extended'),
    )
  }, leaseMs / 3)
  const outcome = createOutcome(app, job)
  try {
    const handler = handlers.get(job.kind)
    if (handler === undefined) throw new Error(`no handler for jobs of kind ${job.kind}`)
    await handler.run(app, job.payload, signal, outcome)
    if (!outcome.isRecorded()) await completeJob(app.db.asyncCommit, job, app.now())
  } catch (error) {
    if (signal.aborted) {
      // The worker releases it when it has stopped, so it is repeated.
      app.log.debug({ err: error, job: job.id, kind: job.kind }, 'a job was interrupted')
      return
    }
    app.log.warn({ err: error, job: job.id, kind: job.kind }, 'a job failed')
    if (outcome.isRecorded()) return
    const text = error instanceof Error ? error.message : String(error)
    await failJob(app.db.asyncCommit, job, text, app.now()).catch((storeError: unknown) =>
      app.log.error({ err: storeError, job: job.id }, 'a failed job cannot be recorded'),
    )
  } finally {
    clearInterval(leaseTimer)
  }
}

function createOutcome(app: App, job: ClaimedJob): JobOutcome & { isRecorded: () => boolean } {
  let recorded = false
  async function record(tx: Transaction, held: Promise<boolean>): Promise<void> {
    if (!(await held)) throw new LeaseLostError(`another worker has taken over job ${job.id}`)
    tx.onCommit(() => {
      recorded = true
    })
  }
  return {
    complete: (tx) => record(tx, completeJob(tx, job, app.now())),
    fail: (tx, error) => record(tx, failJob(tx, job, error, app.now())),
    isRecorded: () => recorded,
  }
}
