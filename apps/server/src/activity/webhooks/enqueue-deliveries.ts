import type { WebhookEvent } from '@stithy/core'
import {
  enqueueJob,
  insertWebhookDelivery,
  insertWebhookEvent,
  jsonText,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { outboundQueue } from '../../platform/jobs/queues.ts'

export const deliverHookKind = 'webhooks.deliver'

/** The payload of a delivery job. */
export interface DeliveryPayload {
  deliveryId: number
}

/** An event with its body, and the hooks to deliver it to. */
export interface EventToDeliver {
  projectId: number
  /** Unique per event. */
  key: string
  event: WebhookEvent
  body: object
  hookIds: readonly number[]
}

/** Runs at the end of the transaction. */
type Finish = (tx: Transaction) => Promise<void>

/**
 * Stores an event, with a delivery and its job for each hook, in one transaction. Calling it again
 * with the same key does nothing.
 */
export async function enqueueDeliveries(
  app: App,
  toDeliver: EventToDeliver,
  finish?: Finish,
): Promise<void> {
  const { projectId, key, event, body, hookIds } = toDeliver
  const payload = jsonText(body)
  const now = app.now()
  await app.db.transaction(async (tx) => {
    const eventId = await insertWebhookEvent(tx, { projectId, key, event, payload, now })
    if (eventId !== undefined) await insertDeliveries(tx, { eventId, hookIds, now })
    await finish?.(tx)
  })
}

async function insertDeliveries(
  tx: Transaction,
  { eventId, hookIds, now }: { eventId: number; hookIds: readonly number[]; now: number },
): Promise<void> {
  for (const webhookId of hookIds) {
    const deliveryId = await insertWebhookDelivery(tx, { eventId, webhookId, now })
    const delivery: DeliveryPayload = { deliveryId }
    await enqueueJob(tx, { queue: outboundQueue, kind: deliverHookKind, payload: delivery }, now)
  }
}
