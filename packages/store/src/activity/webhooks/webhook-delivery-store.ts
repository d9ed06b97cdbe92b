import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** An event to deliver to webhooks. */
export interface NewWebhookEvent {
  projectId: number
  /** Unique key: an event with a key that exists is not recorded again. */
  key: string
  event: string
  /** JSON. */
  payload: string
  /** Milliseconds since the epoch. */
  now: number
}

/** Records an event and returns its id; undefined if it was recorded before. */
export async function insertWebhookEvent(
  tx: Transaction,
  event: NewWebhookEvent,
): Promise<number | undefined> {
  const row = await tx.first('webhookEvents.insert', event, (db, $) =>
    db
      .insertInto('webhookEvents')
      .values({ ...pick($, ['projectId', 'key', 'event', 'payload']), createdAt: $('now') })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('webhookEvents.id'),
  )
  return row?.id
}

/** Whether the event with this key is recorded. */
export async function hasWebhookEvent(q: Queries, key: string): Promise<boolean> {
  const row = await q.first('webhookEvents.has', { key }, (db, $) =>
    db.selectFrom('webhookEvents').select('webhookEvents.id').where('key', '=', $('key')),
  )
  return row !== undefined
}

/** Records that an event is to be delivered to a hook; returns the id of the delivery. */
export async function insertWebhookDelivery(
  tx: Transaction,
  delivery: { eventId: number; webhookId: number; now: number },
): Promise<number> {
  const row = await tx.first('webhookDeliveries.insert', delivery, (db, $) =>
    db
      .insertInto('webhookDeliveries')
      .values({ ...pick($, ['eventId', 'webhookId']), createdAt: $('now') })
      .returning('webhookDeliveries.id'),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row.id
}

/** A delivery with everything needed to make it. */
export interface WebhookDeliveryRow
  extends Pick<Row<'webhookDeliveries'>, 'id' | 'state' | 'tries'>,
    Pick<Row<'webhookEvents'>, 'event' | 'payload'>,
    Pick<Row<'webhooks'>, 'url' | 'token' | 'enableSslVerification'> {}

/** A delivery, unless its hook or project is deleted. */
export function findWebhookDelivery(
  q: Queries,
  id: number,
): Promise<WebhookDeliveryRow | undefined> {
  return q.first('webhookDeliveries.find', { id }, (db, $) =>
    db
      .selectFrom('webhookDeliveries as d')
      .innerJoin('webhookEvents as e', 'e.id', 'd.eventId')
      .innerJoin('webhooks as h', 'h.id', 'd.webhookId')
      .innerJoin('projects as p', 'p.id', 'h.projectId')
      .where('d.id', '=', $('id'))
      .where('p.deletedAt', 'is', null)
      .select(['d.id', 'd.state', 'd.tries', 'e.event', 'e.payload'])
      .select(['h.url', 'h.token', 'h.enableSslVerification']),
  )
}

/** The result of one attempt. */
export interface DeliveryOutcome {
  id: number
  state: Row<'webhookDeliveries'>['state']
  responseStatus: number | null
  error: string | null
  /** Milliseconds. */
  duration: number
  /** Null while attempts are left. */
  finishedAt: number | null
}

/** Logs one attempt. */
export async function saveDeliveryOutcome(
  tx: Transaction,
  outcome: DeliveryOutcome,
): Promise<void> {
  await tx.run('webhookDeliveries.outcome', outcome, (db, $) =>
    db
      .updateTable('webhookDeliveries')
      .set(pick($, ['state', 'responseStatus', 'error', 'duration', 'finishedAt']))
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('id', '=', $('id')),
  )
}

/**
 * Removes the oldest events that are older than `cutoff` (milliseconds) with their deliveries, at
 * most `limit` events; returns how many. Ids follow time.
 */
export async function removeOldWebhookEvents(
  tx: Transaction,
  { cutoff, limit }: { cutoff: number; limit: number },
): Promise<number> {
  const oldest = await tx.all('webhookEvents.oldest', { limit }, (db, $) =>
    db.selectFrom('webhookEvents').select(['id', 'createdAt']).orderBy('id').limit($('limit')),
  )
  const ids = oldest.filter((event) => event.createdAt < cutoff).map((event) => event.id)
  if (ids.length === 0) return 0
  await tx.run('webhookEvents.remove', { ids }, (db, $) =>
    db.deleteFrom('webhookEvents').where(inList('webhookEvents.id', $('ids'))),
  )
  return ids.length
}
