import {
  insertWebhookDelivery,
  insertWebhookEvent,
  jsonText,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { wakeLane } from './lane.ts'

/** An event with its body, and the hooks to deliver it to. */
export interface EventToDeliver {
  /** Null for events of the instance. */
  projectId: number | null
  /** Unique per event. */
  key: string
  /** A webhook event, `repository_update`, or the name of a system event. */
  event: string
  body: object
  /** In ascending order. */
  hookIds: readonly number[]
}

/** Runs at the end of the last transaction. */
type Finish = (tx: Transaction) => Promise<void>

/** Deliveries of one transaction, so that other writers do not have to wait. */
const maxDeliveries = 50

/** An event for some of its hooks. */
interface Part extends Omit<EventToDeliver, 'body'> {
  /** JSON. */
  payload: string
}

/**
 * Stores events, with a delivery for each hook. Calling it again with the same keys adds what is
 * missing. The key of the first event with hooks is stored last: once it is there, so is all else.
 */
export async function enqueueDeliveries(
  app: App,
  events: readonly EventToDeliver[],
  finish?: Finish,
): Promise<void> {
  const now = app.now()
  const steps = inSteps(events.flatMap(partsOf)).toReversed()
  for (const [index, parts] of steps.entries()) {
    await app.db.transaction(async (tx) => {
      for (const part of parts) await insertPart(tx, part, now)
      // Always in the order of their ids, so that two transactions don't wait for each other.
      const hookIds = new Set(parts.flatMap((part) => part.hookIds))
      for (const id of [...hookIds].toSorted((a, b) => a - b)) await wakeLane(app, tx, id)
      if (index === steps.length - 1) await finish?.(tx)
    })
  }
}

/** The parts of an event with many hooks have keys of their own. */
function partsOf({ body, ...event }: EventToDeliver): Part[] {
  const payload = jsonText(body)
  const parts: Part[] = []
  for (let at = 0; at < event.hookIds.length; at += maxDeliveries) {
    const key = at === 0 ? event.key : `${event.key}#${at}`
    const hookIds = event.hookIds.slice(at, at + maxDeliveries)
    parts.push({ ...event, key, payload, hookIds })
  }
  return parts
}

/** Parts that fit into one transaction each, in their order. */
function inSteps(parts: readonly Part[]): Part[][] {
  const steps: Part[][] = []
  let room = 0
  for (const part of parts) {
    const last = steps.at(-1)
    if (last === undefined || part.hookIds.length > room) {
      steps.push([part])
      room = maxDeliveries
    } else {
      last.push(part)
    }
    room -= part.hookIds.length
  }
  return steps
}

async function insertPart(
  tx: Transaction,
  { projectId, key, event, payload, hookIds }: Part,
  now: number,
): Promise<void> {
  const eventId = await insertWebhookEvent(tx, { projectId, key, event, payload, now })
  if (eventId === undefined) return
  for (const webhookId of hookIds) {
    await insertWebhookDelivery(tx, { eventId, webhookId, now, dueAt: now })
  }
}
