import type { Queries, Transaction } from '../queries/queries.ts'
import { asBigint, asText, fromJsonText, jsonText } from '../queries/sql.ts'
import type { Row } from '../schema/schema.ts'

/** A mail to send. */
export interface NewMail {
  /** Unique per mail: the same one is sent once. */
  key: string
  /** Names the function that writes it. */
  kind: string
  /** Who gets it. */
  userId: number
  /** Any JSON value, without secrets: it is stored. */
  payload: unknown
}

/** A stored mail, with its payload parsed. */
export interface MailRow extends NewMail {
  id: number
  state: Row<'mails'>['state']
  createdAt: number
}

/** Stores a mail; undefined if there is one with this key, or the user does not exist any more. */
export async function insertMail(
  tx: Transaction,
  { payload, ...mail }: NewMail,
  now: number,
): Promise<number | undefined> {
  const args = { ...mail, payload: jsonText(payload), now }
  const row = await tx.first('mails.insert', args, (db, $) =>
    db
      .insertInto('mails')
      .columns(['key', 'kind', 'userId', 'payload', 'createdAt'])
      .expression(
        db
          .selectFrom('users')
          .where('id', '=', $('userId'))
          .select([
            asText($('key')).as('key'),
            asText($('kind')).as('kind'),
            'id as userId',
            asText($('payload')).as('payload'),
            asBigint($('now')).as('createdAt'),
          ]),
      )
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('id'),
  )
  return row?.id
}

/** Finds a mail; undefined if its user or the mail itself was deleted. */
export async function findMail(q: Queries, id: number): Promise<MailRow | undefined> {
  const row = await q.first('mails.find', { id }, (db, $) =>
    db
      .selectFrom('mails')
      .where('id', '=', $('id'))
      .select(['id', 'key', 'kind', 'userId', 'payload', 'state', 'createdAt']),
  )
  return row && { ...row, payload: fromJsonText<unknown>(row.payload) }
}

/** The number of mails of a kind to a user since a time in milliseconds. */
export async function countRecentMails(
  q: Queries,
  args: { userId: number; kind: string; since: number },
): Promise<number> {
  const row = await q.first('mails.recent', args, (db, $) =>
    db
      .selectFrom('mails')
      .where('userId', '=', $('userId'))
      .where('kind', '=', $('kind'))
      .where('createdAt', '>', $('since'))
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}

/** Records what became of a mail. */
export async function finishMail(
  tx: Transaction,
  args: { id: number; state: 'sent' | 'dropped' | 'refused'; now: number },
): Promise<void> {
  await tx.run('mails.finish', args, (db, $) =>
    db
      .updateTable('mails')
      .set({ state: $('state'), finishedAt: $('now') })
      .where('id', '=', $('id')),
  )
}

/** Deletes mails from before `cutoff`, at most `limit` of them; returns how many. */
export async function removeOldMails(
  tx: Transaction,
  args: { cutoff: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('mails.remove-old', args, (db, $) =>
    db
      .deleteFrom('mails')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('mails')
          .where('createdAt', '<', $('cutoff'))
          .orderBy('createdAt')
          .limit($('limit'))
          .select('id'),
      ),
  )
  return changes
}
