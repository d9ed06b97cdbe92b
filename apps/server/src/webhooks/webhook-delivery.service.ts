import { webhookEvents } from '@stithy/core'
import { findWebhookDelivery, saveDeliveryOutcome, type WebhookDeliveryRow } from '@stithy/store'
import type { App } from '../app.ts'
import { version } from '../version/version.ts'
import { BlockedAddressError, isPublicAddress } from './outbound/address.ts'
import { post } from './outbound/post.ts'

/** The first try, and those that follow where no answer came (catalogue: admin, 6). */
const maxTries = 5

/** No answer came, and there are tries left. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

/**
 * Tells one hook of one event and logs what came of it. Any answer is an answer, whatever its status.
 * @throws NoAnswerError, to be called again later.
 */
export async function deliver(app: App, deliveryId: number, signal: AbortSignal): Promise<void> {
  const delivery = await findWebhookDelivery(app.db, deliveryId)
  if (delivery === undefined || delivery.state !== 'waiting') return
  const startedAt = app.now()
  const result = await send(app, delivery, signal)
  // A server that stops has tried nothing.
  signal.throwIfAborted()
  const now = app.now()
  const isLast = result.final || delivery.tries + 1 >= maxTries
  const state = result.status !== null ? 'answered' : isLast ? 'failed' : 'waiting'
  await app.db.transaction((tx) =>
    saveDeliveryOutcome(tx, {
      id: delivery.id,
      state,
      responseStatus: result.status,
      error: result.error,
      duration: Math.max(0, now - startedAt),
      finishedAt: state === 'waiting' ? null : now,
    }),
  )
  if (state === 'waiting') throw new NoAnswerError(`a hook did not answer: ${result.error}`)
}

interface Result {
  status: number | null
  /** Why no answer came; holds neither token nor address of the hook. */
  error: string | null
  /** Whether another try would come to the same. */
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
      isAllowed: config.allowLocalHooks ? () => true : isPublicAddress,
      timeoutMs: config.webhookTimeoutMs,
      signal,
    })
    return { status, error: null, final: true }
  } catch (error) {
    const final = isCausedBy(error, BlockedAddressError)
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
  // Headers are bytes: what is not ASCII goes out as UTF-8.
  const bytes = Buffer.from(token).toString('latin1')
  return { 'X-Gitlab-Token': bytes, 'X-Stithy-Token': bytes }
}

function isCausedBy(error: unknown, type: new () => Error): boolean {
  if (error instanceof type) return true
  return error instanceof Error && error.cause !== undefined && isCausedBy(error.cause, type)
}

/** A word for the log: the code of an error, never its text, which could quote the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return 'timeout'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.name : reasonOf(error.cause)
}
