import {
  type DeliveringHook,
  enqueueJob,
  findNextDueAt,
  lockDeliveringHook,
  setLane,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { outboundQueue, slowOutboundQueue } from '../../../platform/jobs/queues.ts'

export const deliverHookKind = 'webhooks.deliver'

/**
 * The payload of the one job that makes the deliveries of a hook. A hook has one at a time, so one
 * that hangs takes one slot, however many events wait.
 */
export interface LanePayload {
  webhookId: number
  /** Must be the hook's: otherwise another job has taken over. */
  lane: number
  /** Whether it is in the queue of hooks that failed or hosts that are slow. */
  slow: boolean
}

/**
 * A job that is due this soon is as good as one that is due now. It may be running already, by the
 * clock of another server: replacing it would make its deliveries twice.
 */
const soonMs = 5000

/**
 * Has the waiting deliveries of a hook made, unless a job already does, or it is paused. Locks the
 * hook, so its job sees what this transaction adds.
 */
export async function wakeLane(app: App, tx: Transaction, webhookId: number): Promise<void> {
  const hook = await lockDeliveringHook(tx, webhookId)
  if (hook === undefined || hook.disabledAt !== null) return
  const { nextDeliveryAt } = hook
  const now = app.now()
  if (nextDeliveryAt !== null && nextDeliveryAt <= now + soonMs) return
  await startLane(tx, hook, Math.max(now, hook.pausedUntil ?? 0), now)
}

/** Makes a new job responsible for a hook that is locked, whatever its present one does. */
export async function startLane(
  tx: Transaction,
  hook: Pick<DeliveringHook, 'id' | 'lane' | 'failures' | 'nextDeliveryAt'>,
  runAt: number,
  now: number,
): Promise<void> {
  // The job that waits is as good.
  if (hook.nextDeliveryAt === runAt) return
  const lane = hook.lane + 1
  await setLane(tx, { id: hook.id, lane, nextDeliveryAt: runAt })
  await enqueueLane(tx, { webhookId: hook.id, lane, slow: hook.failures > 0 }, { runAt, now })
}

/** Enqueues the job of a hook. */
export async function enqueueLane(
  tx: Transaction,
  payload: LanePayload,
  { runAt, now }: { runAt: number; now: number },
): Promise<void> {
  const queue = payload.slow ? slowOutboundQueue : outboundQueue
  await enqueueJob(tx, { queue, kind: deliverHookKind, payload, runAt }, now)
}

/**
 * Ends a job of a hook that is locked and whose health is `hook`'s: what is left is for another
 * one, at the end of the queue.
 */
export async function continueLane(
  tx: Transaction,
  hook: Pick<DeliveringHook, 'id' | 'lane' | 'failures' | 'pausedUntil'>,
  now: number,
): Promise<void> {
  const { id, lane, failures, pausedUntil } = hook
  const dueAt = await findNextDueAt(tx, id)
  if (dueAt === undefined) return setLane(tx, { id, lane, nextDeliveryAt: null })
  const runAt = Math.max(dueAt, pausedUntil ?? 0, now)
  await setLane(tx, { id, lane, nextDeliveryAt: runAt })
  await enqueueLane(tx, { webhookId: id, lane, slow: failures > 0 }, { runAt, now })
}
