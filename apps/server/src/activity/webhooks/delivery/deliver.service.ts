import {
  type DeliveringHook,
  type DueDelivery,
  findDeliveringHook,
  giveUpDeliveries,
  listDueDeliveries,
  lockDeliveringHook,
  retryDelay,
  saveDeliveryOutcome,
  setHookHealth,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { JobOutcome } from '../../../platform/jobs/run-job.ts'
import { healthAfter } from './hook-health.ts'
import { isCongested, markSlow, occupyHost } from './host-slots.ts'
import { continueLane, enqueueLane, type LanePayload } from './lane.ts'
import { type Attempt, send } from './send.ts'

/** Attempts per delivery, the first included. */
const maxTries = 5
/** Deliveries to a healthy hook at the same time. */
const maxAtOnce = 4
/** How long the deliveries of a job may take before it leaves its slot to others, in milliseconds. */
const slotMs = 500
/**
 * In how many turns of the event loop that time passes: no response is read while this process is
 * busy, which doesn't make a host slow.
 */
const slotTurns = 10
/** How long a delivery waits for a hook that fails. */
const maxWaitMs = 24 * 60 * 60_000
/** Deliveries that are given up in one transaction. */
const batch = 500

/** A delivery with the result of its attempt. */
interface Attempted {
  delivery: DueDelivery
  attempt: Attempt
}

/**
 * Makes the deliveries of one hook that are due, a few at a time, and logs what came of them. Any
 * response ends a delivery, whatever its status; without one it is tried again later. What is left
 * is for another job, so that the hooks take turns.
 */
export async function deliverToHook(
  app: App,
  payload: LanePayload,
  signal: AbortSignal,
  job: JobOutcome,
): Promise<void> {
  const hook = await findDeliveringHook(app.db, payload.webhookId)
  if (hook === undefined || hook.lane !== payload.lane) return
  const now = app.now()
  if (hook.disabledAt !== null) return giveUp(app, hook, job, now)
  if ((hook.pausedUntil ?? 0) > now) return settle(app, hook, [], job)
  const { host } = new URL(hook.url)
  if (!payload.slow && isCongested(app, host)) return moveToSlowQueue(app, payload, job)
  const leave = occupyHost(app, host)
  try {
    const limit = hook.failures > 0 ? 1 : maxAtOnce
    const due = await listDueDeliveries(app.db, { webhookId: hook.id, now, limit })
    const { attempted, interrupted } = await sendAll(app, hook, due, payload.slow, signal, job)
    if (interrupted || attempted.some(wasSlow(app))) markSlow(app, host)
    for (const { attempt } of attempted) count(app, attempt)
    await settle(app, hook, attempted, job)
  } finally {
    leave()
  }
}

/**
 * Sends deliveries at the same time. A job that takes long leaves its slot; if it can't, those that
 * were not answered yet are interrupted, for the queue of slow hosts to make them again.
 */
async function sendAll(
  app: App,
  hook: DeliveringHook,
  due: readonly DueDelivery[],
  slow: boolean,
  signal: AbortSignal,
  job: JobOutcome,
): Promise<{ attempted: Attempted[]; interrupted: boolean }> {
  const interruption = new AbortController()
  const either = AbortSignal.any([signal, interruption.signal])
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
    if (turns < slotTurns) return
    clearInterval(timer)
    if (!slow && !job.leaveSlot()) interruption.abort()
  }, slotMs / slotTurns)
  try {
    const results = await Promise.allSettled(
      due.map(async (delivery) => ({
        delivery,
        attempt: await send(app, hook, delivery, either),
      })),
    )
    const interrupted = interruption.signal.aborted && !signal.aborted
    const attempted = results.flatMap((result) => {
      if (result.status === 'fulfilled') return [result.value]
      if (interrupted) return []
      throw result.reason
    })
    return { attempted, interrupted }
  } finally {
    clearInterval(timer)
  }
}

function count({ counters }: App, { log }: Attempt): void {
  counters.add(log.responseStatus === null ? 'webhooks.failed' : 'webhooks.answered')
}

/** Whether an attempt took more than half of the time it had. */
function wasSlow({ config }: App): (attempted: Attempted) => boolean {
  return ({ attempt }) => (attempt.log.duration ?? 0) * 2 > config.webhookTimeoutMs
}

async function moveToSlowQueue(app: App, payload: LanePayload, job: JobOutcome): Promise<void> {
  const now = app.now()
  await app.db.transaction(async (tx) => {
    await enqueueLane(tx, { ...payload, slow: true }, { runAt: now, now })
    await job.complete(tx)
  })
}

/** Logs attempts, with what they mean for the hook, and leaves the rest to another job. */
async function settle(
  app: App,
  hook: DeliveringHook,
  attempted: readonly Attempted[],
  job: JobOutcome,
): Promise<void> {
  const now = app.now()
  await app.db.transaction(async (tx) => {
    const current = await lockDeliveringHook(tx, hook.id)
    if (current === undefined) return job.complete(tx)
    let health = current
    for (const { delivery, attempt } of attempted) {
      await logAttempt(tx, delivery, attempt, now)
      health = { ...health, ...healthAfter(health, attempt.log.responseStatus, now) }
    }
    if (attempted.length > 0) await setHookHealth(tx, health)
    if (health.failures > 0) await giveUpOld(tx, hook.id, now)
    if (current.lane === hook.lane) await continueLane(tx, health, now)
    await job.complete(tx)
  })
}

async function logAttempt(
  tx: Transaction,
  { id, tries }: DueDelivery,
  { log, final }: Attempt,
  now: number,
): Promise<void> {
  const isLast = final || tries + 1 >= maxTries
  const ended = log.responseStatus !== null ? 'answered' : 'failed'
  await saveDeliveryOutcome(tx, {
    ...log,
    id,
    state: isLast ? ended : 'waiting',
    dueAt: isLast ? null : now + retryDelay(tries + 1),
    finishedAt: isLast ? now : null,
  })
}

async function giveUpOld(tx: Transaction, webhookId: number, now: number): Promise<void> {
  const error = 'the hook failed for a day'
  await giveUpDeliveries(tx, { webhookId, cutoff: now - maxWaitMs, limit: batch, now, error })
}

/** Nothing waits for a disabled hook. */
async function giveUp(app: App, hook: DeliveringHook, job: JobOutcome, now: number): Promise<void> {
  await app.db.transaction(async (tx) => {
    const current = await lockDeliveringHook(tx, hook.id)
    if (current === undefined || current.lane !== hook.lane) return job.complete(tx)
    if (current.disabledAt !== null) {
      const error = 'the hook is disabled'
      await giveUpDeliveries(tx, { webhookId: hook.id, cutoff: now + 1, limit: batch, now, error })
    }
    await continueLane(tx, current, now)
    await job.complete(tx)
  })
}
