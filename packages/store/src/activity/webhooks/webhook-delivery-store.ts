import { expressionBuilder } from 'kysely'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'

/** An event to deliver to webhooks. */
export interface NewWebhookEvent {
  /** Null for events of the instance. */
  projectId: number | null
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

/**
 * Records that an event is to be delivered to a hook; returns the id of the delivery.
 * `dueAt` is null for a delivery that is not made by the hook's job.
 */
export async function insertWebhookDelivery(
  tx: Transaction,
  delivery: { eventId: number; webhookId: number; now: number; dueAt: number | null },
): Promise<number> {
  const row = await tx.first('webhookDeliveries.insert', delivery, (db, $) =>
    db
      .insertInto('webhookDeliveries')
      .values({ ...pick($, ['eventId', 'webhookId', 'dueAt']), createdAt: $('now') })
      .returning('webhookDeliveries.id'),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row.id
}

const outcomeColumns = [
  'state',
  'attemptedAt',
  'url',
  'requestHeaders',
  'responseStatus',
  'responseHeaders',
  'responseBody',
  'error',
  'duration',
  'dueAt',
  'finishedAt',
] as const

/** The result of one attempt. */
export type DeliveryOutcome = Pick<Row<'webhookDeliveries'>, 'id' | (typeof outcomeColumns)[number]>

/** Logs one attempt. */
export async function saveDeliveryOutcome(
  tx: Transaction,
  outcome: DeliveryOutcome,
): Promise<void> {
  await tx.run('webhookDeliveries.outcome', outcome, (db, $) =>
    db
      .updateTable('webhookDeliveries')
      .set(pick($, outcomeColumns))
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('id', '=', $('id')),
  )
}

/** Characters of a body that the log shows at most; 100 of them are read at once. */
const maxLoggedLength = 32 * 1024

/** A delivery in the log. */
export interface LoggedDelivery
  extends Pick<
    Row<'webhookDeliveries'>,
    | 'id'
    | 'url'
    | 'requestHeaders'
    | 'responseStatus'
    | 'responseHeaders'
    | 'responseBody'
    | 'error'
    | 'duration'
    | 'createdAt'
  > {
  event: string
  /** JSON; null if it is too long. */
  payload: string | null
}

const loggedColumns = [
  'd.id',
  'd.url',
  'd.requestHeaders',
  'd.responseStatus',
  'd.responseHeaders',
  'd.responseBody',
  'd.error',
  'd.duration',
  'd.createdAt',
  'e.event',
] as const

/** One page of the attempted deliveries of a hook, the newest first. Two queries. */
export function listDeliveries(
  q: Queries,
  webhookId: number,
  request: PageRequest,
): Promise<Page<LoggedDelivery>> {
  return listPage(q, request, {
    shape: 'webhookDeliveries.log',
    args: { webhookId },
    key: expressionBuilder<Schema & { d: Schema['webhookDeliveries'] }, 'd'>().ref('d.id'),
    stamp: undefined,
    from: (db, $) =>
      db
        .selectFrom('webhookDeliveries as d')
        .where('d.webhookId', '=', $('webhookId'))
        .where('d.attemptedAt', 'is not', null),
    order: (query) => query.orderBy('d.id', 'desc'),
    columns: (query) =>
      query
        .innerJoin('webhookEvents as e', 'e.id', 'd.eventId')
        .select(loggedColumns)
        .select((eb) =>
          eb
            .case()
            .when(eb.fn<number>('length', ['e.payload']), '<=', maxLoggedLength)
            .then(eb.ref('e.payload'))
            .end()
            .as('payload'),
        ),
  })
}

/** An attempted delivery of the log. */
export function findDelivery(q: Queries, id: number): Promise<LoggedDelivery | undefined> {
  return q.first('webhookDeliveries.logged', { id }, (db, $) =>
    db
      .selectFrom('webhookDeliveries as d')
      .innerJoin('webhookEvents as e', 'e.id', 'd.eventId')
      .where('d.id', '=', $('id'))
      .select([...loggedColumns, 'e.payload']),
  )
}

/** Deletes deliveries of a hook, at most `limit`; returns how many. */
export async function removeDeliveriesOf(
  tx: Transaction,
  args: { webhookId: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('webhookDeliveries.remove', args, (db, $) =>
    db
      .deleteFrom('webhookDeliveries')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('webhookDeliveries as w')
          .where('w.webhookId', '=', $('webhookId'))
          .limit($('limit'))
          .select('w.id'),
      ),
  )
  return changes
}

/** Deletes events of a project with their deliveries, at most `limit`; returns how many. */
export async function removeWebhookEventsOf(
  tx: Transaction,
  args: { projectId: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('webhookEvents.remove-of', args, (db, $) =>
    db
      .deleteFrom('webhookEvents')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('webhookEvents as w')
          .where('w.projectId', '=', $('projectId'))
          .limit($('limit'))
          .select('w.id'),
      ),
  )
  return changes
}

/** Deletes deliveries to the hooks of a group, at most `limit`; returns how many. */
export async function removeGroupDeliveries(
  tx: Transaction,
  args: { groupId: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('webhookDeliveries.remove-of-group', args, (db, $) =>
    db
      .deleteFrom('webhookDeliveries')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('webhooks as h')
          .innerJoin('webhookDeliveries as w', 'w.webhookId', 'h.id')
          .where('h.groupId', '=', $('groupId'))
          .limit($('limit'))
          .select('w.id'),
      ),
  )
  return changes
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
