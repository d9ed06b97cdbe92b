import type { Queries, Transaction } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { inList, pick } from '../sql.ts'

/** Something that hooks are to be told of. */
export interface NewWebhookEvent {
  projectId: number
  /** Tells it from all others: what has this key already is not recorded again. */
  key: string
  event: string
  /** JSON. */
  payload: string
  /** Milliseconds since the epoch. */
  now: number
}

/** Records an event; undefined where that was done before. Answers its id. */
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

/** Whether the event of this key is recorded. */
export async function hasWebhookEvent(q: Queries, key: string): Promise<boolean> {
  const row = await q.first('webhookEvents.has', { key }, (db, $) =>
    db.selectFrom('webhookEvents').select('webhookEvents.id').where('key', '=', $('key')),
  )
  return row !== undefined
}

/** Notes that a hook is to be told of an event; answers the id of the delivery. */
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
  if (row === undefined) throw new TypeError('An insert answered no row')
  return row.id
}

/** A delivery with all that is needed to make it. */
export interface WebhookDeliveryRow
  extends Pick<Row<'webhookDeliveries'>, 'id' | 'state' | 'tries'>,
    Pick<Row<'webhookEvents'>, 'event' | 'payload'>,
    Pick<Row<'webhooks'>, 'url' | 'token' | 'enableSslVerification'> {}

/** A delivery, unless its hook or project is gone. */
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

/** What came of one try. */
export interface DeliveryOutcome {
  id: number
  state: Row<'webhookDeliveries'>['state']
  responseStatus: number | null
  error: string | null
  /** Milliseconds. */
  duration: number
  /** Null while there are tries left. */
  finishedAt: number | null
}

/** Logs one try. */
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
 * Removes the oldest events with their deliveries, as far as they are older than `horizon`
 * (milliseconds), at most `limit` of them; answers how many went. Ids follow time.
 */
export async function removeOldWebhookEvents(
  tx: Transaction,
  { horizon, limit }: { horizon: number; limit: number },
): Promise<number> {
  const oldest = await tx.all('webhookEvents.oldest', { limit }, (db, $) =>
    db.selectFrom('webhookEvents').select(['id', 'createdAt']).orderBy('id').limit($('limit')),
  )
  const ids = oldest.filter((event) => event.createdAt < horizon).map((event) => event.id)
  if (ids.length === 0) return 0
  await tx.run('webhookEvents.remove', { ids }, (db, $) =>
    db.deleteFrom('webhookEvents').where(inList('webhookEvents.id', $('ids'))),
  )
  return ids.length
}
