import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { asText } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'
import type { WebhookRow } from './webhook-store.ts'

/** A hook with what its job needs to make deliveries. */
export type DeliveringHook = Pick<
  WebhookRow,
  | 'id'
  | 'kind'
  | 'projectId'
  | 'groupId'
  | 'url'
  | 'token'
  | 'enableSslVerification'
  | 'failures'
  | 'pausedUntil'
  | 'disabledAt'
  | 'lane'
  | 'nextDeliveryAt'
>

const columns = [
  'webhooks.id',
  'webhooks.kind',
  'webhooks.projectId',
  'webhooks.groupId',
  'webhooks.url',
  'webhooks.token',
  'webhooks.enableSslVerification',
  'webhooks.failures',
  'webhooks.pausedUntil',
  'webhooks.disabledAt',
  'webhooks.lane',
  'webhooks.nextDeliveryAt',
] as const

/** A hook, unless it, its project or its group is deleted. */
export function findDeliveringHook(q: Queries, id: number): Promise<DeliveringHook | undefined> {
  return q.first('webhooks.delivering', { id }, (db, $) =>
    db
      .selectFrom('webhooks')
      .leftJoin('projects as p', 'p.id', 'webhooks.projectId')
      .leftJoin('namespaces as n', 'n.id', 'webhooks.groupId')
      .where('webhooks.id', '=', $('id'))
      .where('p.deletedAt', 'is', null)
      .where('n.deletedAt', 'is', null)
      .select(columns),
  )
}

/** Locks a hook; its deliveries that others committed before are visible afterwards. */
export function lockDeliveringHook(
  tx: Transaction,
  id: number,
): Promise<DeliveringHook | undefined> {
  return tx.first('webhooks.lock', { id }, (db, $) =>
    db
      .updateTable('webhooks')
      .set((eb) => ({ lane: eb.ref('webhooks.lane') }))
      .where('webhooks.id', '=', $('id'))
      .returning(columns),
  )
}

/** Sets which job makes the deliveries of a hook, and when; null while there are none. */
export async function setLane(
  tx: Transaction,
  lane: { id: number; lane: number; nextDeliveryAt: number | null },
): Promise<void> {
  await tx.run('webhooks.lane', lane, (db, $) =>
    db
      .updateTable('webhooks')
      .set({ lane: $('lane'), nextDeliveryAt: $('nextDeliveryAt') })
      .where('id', '=', $('id')),
  )
}

/** How a hook has fared of late. */
export type HookHealth = Pick<WebhookRow, 'failures' | 'pausedUntil' | 'disabledAt'>

/** Sets what follows from the last attempts. */
export async function setHookHealth(
  tx: Transaction,
  health: HookHealth & { id: number },
): Promise<void> {
  await tx.run('webhooks.health', health, (db, $) =>
    db
      .updateTable('webhooks')
      .set({
        failures: $('failures'),
        pausedUntil: $('pausedUntil'),
        disabledAt: $('disabledAt'),
      })
      .where('id', '=', $('id')),
  )
}

/** Hooks whose deliveries have been due since before `before`: their job is lost or late. */
export async function listLateHooks(
  q: Queries,
  args: { before: number; limit: number },
): Promise<number[]> {
  const rows = await q.all('webhooks.late', args, (db, $) =>
    db
      .selectFrom('webhooks')
      .where('nextDeliveryAt', '<', $('before'))
      .orderBy('nextDeliveryAt')
      .limit($('limit'))
      .select('id'),
  )
  return rows.map(({ id }) => id)
}

/** A delivery that is to be made. */
export interface DueDelivery
  extends Pick<Row<'webhookDeliveries'>, 'id' | 'tries'>,
    Pick<Row<'webhookEvents'>, 'event' | 'payload'> {}

/** The deliveries of a hook that are due, the longest due first. */
export function listDueDeliveries(
  q: Queries,
  args: { webhookId: number; now: number; limit: number },
): Promise<DueDelivery[]> {
  return q.all('webhookDeliveries.due', args, (db, $) =>
    db
      .selectFrom('webhookDeliveries as d')
      .innerJoin('webhookEvents as e', 'e.id', 'd.eventId')
      .where('d.webhookId', '=', $('webhookId'))
      .where('d.dueAt', '<=', $('now'))
      .orderBy('d.dueAt')
      .orderBy('d.id')
      .limit($('limit'))
      .select(['d.id', 'd.tries', 'e.event', 'e.payload']),
  )
}

/** When the next delivery of a hook is due; undefined if there is none. */
export async function findNextDueAt(q: Queries, webhookId: number): Promise<number | undefined> {
  const row = await q.first('webhookDeliveries.next', { webhookId }, (db, $) =>
    db
      .selectFrom('webhookDeliveries')
      .where('webhookId', '=', $('webhookId'))
      .where('dueAt', 'is not', null)
      .orderBy('dueAt')
      .orderBy('id')
      .limit(1)
      .select('dueAt'),
  )
  return row?.dueAt ?? undefined
}

/**
 * Gives up the deliveries of a hook that were created before `cutoff`, at most `limit`; returns how
 * many.
 */
export async function giveUpDeliveries(
  tx: Transaction,
  args: { webhookId: number; cutoff: number; limit: number; now: number; error: string },
): Promise<number> {
  const { changes } = await tx.run('webhookDeliveries.give-up', args, (db, $) =>
    db
      .updateTable('webhookDeliveries')
      .set({
        state: 'failed',
        error: asText($('error')),
        dueAt: null,
        finishedAt: $('now'),
      })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('webhookDeliveries as w')
          .where('w.webhookId', '=', $('webhookId'))
          .where('w.dueAt', 'is not', null)
          .where('w.createdAt', '<', $('cutoff'))
          .limit($('limit'))
          .select('w.id'),
      ),
  )
  return changes
}
