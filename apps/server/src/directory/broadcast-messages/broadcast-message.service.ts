import type { IncomingHttpHeaders } from 'node:http'
import {
  type BodyOf,
  broadcastColors,
  broadcastDurationMs,
  broadcastErrors,
  type broadcastMessagesContract,
  notFound,
  validationFailed,
} from '@stithy/core'
import {
  type BroadcastMessageColumns,
  type BroadcastMessageRow,
  deleteBroadcastMessage,
  findBroadcastMessage,
  insertBroadcastMessage,
  type Queries,
  type Transaction,
  updateBroadcastMessage,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { ChangeKind } from '../../platform/changes/change.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'

type Body = BodyOf<typeof broadcastMessagesContract.update>

/** @throws DomainError `not_found` */
export async function requireBroadcastMessage(
  q: Queries,
  id: number,
): Promise<BroadcastMessageRow> {
  const row = await findBroadcastMessage(q, id)
  if (row === undefined) throw notFound('Broadcast Message')
  return row
}

/** @throws DomainError `validation_failed` */
export function addBroadcastMessage(app: App, body: Body): Promise<BroadcastMessageRow> {
  const now = app.now()
  const startsAt = body.starts_at ?? now
  const { color, font } = broadcastColors
  const initial = { message: '', startsAt, endsAt: startsAt + broadcastDurationMs, color, font }
  const values = checkedValues(initial, body)
  return app.db.transaction(async (tx) => {
    const row = await insertBroadcastMessage(tx, { ...values, now })
    await record(tx, 'broadcast_message.created', row, now)
    return row
  })
}

/** Changes what is given. @throws DomainError `not_found`, `validation_failed` */
export function changeBroadcastMessage(
  app: App,
  id: number,
  body: Body,
): Promise<BroadcastMessageRow> {
  const now = app.now()
  return app.db.transaction(async (tx) => {
    const values = checkedValues(await requireBroadcastMessage(tx, id), body)
    const row = await updateBroadcastMessage(tx, { ...values, id, now })
    if (row === undefined) throw notFound('Broadcast Message')
    await record(tx, 'broadcast_message.updated', row, now)
    return row
  })
}

/** @throws DomainError `not_found`, `precondition_failed` */
export async function removeBroadcastMessage(
  app: App,
  id: number,
  headers: IncomingHttpHeaders,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const row = await requireBroadcastMessage(tx, id)
    requireUnmodified(headers, row.updatedAt)
    await deleteBroadcastMessage(tx, id)
    await record(tx, 'broadcast_message.deleted', row, app.now())
  })
}

function checkedValues(before: BroadcastMessageColumns, body: Body): BroadcastMessageColumns {
  const values = {
    message: body.message ?? before.message,
    startsAt: body.starts_at ?? before.startsAt,
    endsAt: body.ends_at ?? before.endsAt,
    // A blank color is left as it is.
    color: body.color || before.color,
    font: body.font || before.font,
  }
  const errors = broadcastErrors(values)
  if (errors !== undefined) throw validationFailed(errors)
  return values
}

function record(
  tx: Transaction,
  kind: Extract<ChangeKind, `broadcast_message.${string}`>,
  { id, message }: BroadcastMessageRow,
  now: number,
): Promise<void> {
  return recordChange(tx, { kind, ...changeByCaller(now), broadcastMessageId: id, message })
}
