import type { WebhookEvent } from '@stithy/core'
import { enqueueJob, insertWebhookDelivery, insertWebhookEvent, jsonText } from '@stithy/store'
import type { App } from '../app.ts'
import { outboundQueue } from '../jobs/worker.ts'

export const deliverHookKind = 'webhooks.deliver'

/** What the job of a delivery is told. */
export interface DeliveryPayload {
  deliveryId: number
}

/** An event with its body, and the hooks that are to be told of it. */
export interface Announcement {
  projectId: number
  /** Tells it from all others. */
  key: string
  event: WebhookEvent
  body: object
  hookIds: readonly number[]
}

/**
 * Notes an event, with a delivery and its job for each hook, in one transaction; once, however often this
 * is called with its key.
 */
export async function announce(app: App, announcement: Announcement): Promise<void> {
  const { projectId, key, event, body, hookIds } = announcement
  const payload = jsonText(body)
  const now = app.now()
  await app.db.transaction(async (tx) => {
    const eventId = await insertWebhookEvent(tx, { projectId, key, event, payload, now })
    if (eventId === undefined) return
    for (const webhookId of hookIds) {
      const deliveryId = await insertWebhookDelivery(tx, { eventId, webhookId, now })
      const told: DeliveryPayload = { deliveryId }
      await enqueueJob(tx, { queue: outboundQueue, kind: deliverHookKind, payload: told }, now)
    }
    tx.onCommit(app.wakeWorker)
  })
}
