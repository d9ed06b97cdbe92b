import { webhookEvents } from '@stithy/core'
import { findWebhookDelivery, saveDeliveryOutcome, type WebhookDeliveryRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { JobOutcome } from '../../platform/jobs/run-job.ts'
import { addressRule, isBlocked } from '../../platform/outbound/address.ts'
import { version } from '../../platform/version.ts'
import { post } from './outbound/post.ts'

/** Attempts per delivery, the first included. */
const maxTries = 5

/** Thrown when there was no response and attempts are left. */
class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
}

/**
 * Delivers one event to one hook and logs the outcome. Any response counts, whatever its status.
 * @throws NoResponseError to have the job retried later.
 */
export async function deliver(
  app: App,
  deliveryId: number,
  signal: AbortSignal,
  job: JobOutcome,
): Promise<void> {
  const delivery = await findWebhookDelivery(app.db, deliveryId)
  if (delivery === undefined || delivery.state !== 'waiting') return
  const startedAt = app.now()
  const result = await send(app, delivery, signal)
  // An attempt that the server's shutdown interrupted does not count.
  signal.throwIfAborted()
  const now = app.now()
  const isLast = result.final || delivery.tries + 1 >= maxTries
  const state = result.status !== null ? 'answered' : isLast ? 'failed' : 'waiting'
  const retryReason = `a hook did not respond: ${result.error}`
  await app.db.transaction(async (tx) => {
    await saveDeliveryOutcome(tx, {
      id: delivery.id,
      state,
      responseStatus: result.status,
      error: result.error,
      duration: Math.max(0, now - startedAt),
      finishedAt: state === 'waiting' ? null : now,
    })
    await (state === 'waiting' ? job.fail(tx, retryReason) : job.complete(tx))
  })
  app.counters.add(result.status === null ? 'webhooks.failed' : 'webhooks.answered')
  if (state === 'waiting') throw new NoResponseError(retryReason)
}

interface Result {
  status: number | null
  /** Why there was no response; contains neither the token nor the address of the hook. */
  error: string | null
  /** Whether a retry would fail in the same way. */
  final: boolean
}

async function send(app: App, delivery: WebhookDeliveryRow, signal: AbortSignal): Promise<Result> {
  const { config } = app
  try {
    const status = await post({
      url: delivery.url,
      body: delivery.payload,
      headers: headersOf(delivery),
      secrets: secretsOf(delivery),
      verifiesTls: delivery.enableSslVerification === 1,
      isAllowed: addressRule(app),
      timeoutMs: config.webhookTimeoutMs,
      signal,
    })
    return { status, error: null, final: true }
  } catch (error) {
    const final = isBlocked(error)
    return { status: null, error: final ? 'blocked address' : reasonOf(error), final }
  }
}

function headersOf({ id, event }: WebhookDeliveryRow): Record<string, string> {
  const name =
    event in webhookEvents ? webhookEvents[event as keyof typeof webhookEvents].header : event
  return {
    'content-type': 'application/json',
    'user-agent': `Stithy/${version}`,
    'X-Gitlab-Event': name,
    'X-Stithy-Event': name,
    'X-Stithy-Delivery': String(id),
  }
}

function secretsOf({ token }: WebhookDeliveryRow): Record<string, string> {
  if (token === null) return {}
  // Headers are bytes: other characters than ASCII are sent as UTF-8.
  const bytes = Buffer.from(token).toString('latin1')
  return { 'X-Gitlab-Token': bytes, 'X-Stithy-Token': bytes }
}

/** The code of an error for the log; its message could quote the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return 'timeout'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.name : reasonOf(error.cause)
}
