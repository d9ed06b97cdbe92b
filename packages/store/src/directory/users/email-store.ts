import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import type { Row } from '../../platform/schema/schema.ts'

export type EmailRow = Row<'emails'>

export interface NewEmail {
  userId: number
  kind: EmailRow['kind']
  email: string
  /** Milliseconds since the epoch; null until it is confirmed. */
  confirmedAt: number | null
  createdAt: number
}

/** Stores an address. @throws UniqueViolationError of `emailLower` if any user has it. */
export async function insertEmail(tx: Transaction, email: NewEmail): Promise<EmailRow> {
  const args = { ...email, emailLower: email.email.toLowerCase() }
  const row = await tx.first('emails.insert', args, (db, $) =>
    db
      .insertInto('emails')
      .values({
        userId: $('userId'),
        kind: $('kind'),
        email: $('email'),
        emailLower: $('emailLower'),
        confirmedAt: $('confirmedAt'),
        createdAt: $('createdAt'),
      })
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** A page of the secondary addresses of a user, oldest first. */
export function listSecondaryEmails(
  q: Queries,
  userId: number,
  request: PageRequest,
): Promise<Page<EmailRow>> {
  return listUncached(q, request, {
    shape: 'emails.list',
    args: { userId },
    key: 'emails.id',
    from: (db, $) =>
      db
        .selectFrom('emails')
        .where('emails.userId', '=', $('userId'))
        .where('emails.kind', '=', 'secondary'),
    order: (query) => query.orderBy('emails.id'),
    columns: (query) => query.selectAll('emails'),
  })
}

/** The number of secondary addresses of a user. */
export async function countSecondaryEmails(q: Queries, userId: number): Promise<number> {
  const count = await q.first('emails.count', { userId }, (db, $) =>
    db
      .selectFrom('emails')
      .where('userId', '=', $('userId'))
      .where('kind', '=', 'secondary')
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return count?.total ?? 0
}

/** A secondary address of a user. */
export function findSecondaryEmail(
  q: Queries,
  args: { userId: number; id: number },
): Promise<EmailRow | undefined> {
  return q.first('emails.find', args, (db, $) =>
    db
      .selectFrom('emails')
      .selectAll()
      .where('id', '=', $('id'))
      .where('userId', '=', $('userId'))
      .where('kind', '=', 'secondary'),
  )
}

/** Who has an address, confirmed or not. */
export function findEmail(q: Queries, email: string): Promise<EmailRow | undefined> {
  return q.first('emails.by-address', { emailLower: email.toLowerCase() }, (db, $) =>
    db.selectFrom('emails').selectAll().where('emailLower', '=', $('emailLower')),
  )
}

/** The address that a token confirms. */
export function findEmailByToken(q: Queries, tokenHash: string): Promise<EmailRow | undefined> {
  return q.first('emails.by-token', { tokenHash }, (db, $) =>
    db.selectFrom('emails').selectAll().where('tokenHash', '=', $('tokenHash')),
  )
}

/** An address of a user that is still to be confirmed: it was asked for, and not in vain. */
export function findUnconfirmedEmail(
  q: Queries,
  args: { id: number; userId: number },
): Promise<{ email: string } | undefined> {
  return q.first('emails.unconfirmed', args, (db, $) =>
    db
      .selectFrom('emails')
      .select('email')
      .where('id', '=', $('id'))
      .where('userId', '=', $('userId'))
      .where('tokenHash', 'is not', null),
  )
}

/** The confirmed addresses of a user, lower-cased: the primary one and the secondary ones. */
export async function listConfirmedEmails(q: Queries, userId: number): Promise<string[]> {
  const rows = await q.all('emails.confirmed', { userId }, (db, $) =>
    db
      .selectFrom('emails')
      .select('emailLower')
      .where('userId', '=', $('userId'))
      .where('confirmedAt', 'is not', null),
  )
  return rows.map(({ emailLower }) => emailLower)
}

/** The id of the primary address of a user. */
export async function findPrimaryEmailId(q: Queries, userId: number): Promise<number | undefined> {
  const row = await q.first('emails.primary', { userId }, (db, $) =>
    db
      .selectFrom('emails')
      .select('id')
      .where('userId', '=', $('userId'))
      .where('kind', '=', 'primary'),
  )
  return row?.id
}

/** Sets the token that confirms an address, in place of an earlier one. */
export async function setEmailToken(
  tx: Transaction,
  args: { id: number; tokenHash: string; tokenExpiresAt: number },
): Promise<void> {
  await tx.run('emails.token', args, (db, $) =>
    db
      .updateTable('emails')
      .set({ tokenHash: $('tokenHash'), tokenExpiresAt: $('tokenExpiresAt') })
      .where('id', '=', $('id')),
  )
}

/** Marks an address as confirmed, unless its token was used meanwhile; returns whether it was not. */
export async function markEmailConfirmed(
  tx: Transaction,
  args: { id: number; tokenHash: string; confirmedAt: number },
): Promise<boolean> {
  const { changes } = await tx.run('emails.confirm', args, (db, $) =>
    db
      .updateTable('emails')
      .set({ confirmedAt: $('confirmedAt'), tokenHash: null, tokenExpiresAt: null })
      .where('id', '=', $('id'))
      .where('tokenHash', '=', $('tokenHash')),
  )
  return changes > 0
}

/**
 * Sets the primary address of a user, which no other row may have. A token of the earlier one stays,
 * for a change of case only: other new addresses are confirmed already.
 */
export async function setPrimaryEmail(
  tx: Transaction,
  email: { userId: number; email: string; confirmedAt: number | null },
): Promise<void> {
  const args = { ...email, emailLower: email.email.toLowerCase() }
  await tx.run('emails.set-primary', args, (db, $) =>
    db
      .updateTable('emails')
      .set({
        email: $('email'),
        emailLower: $('emailLower'),
        confirmedAt: $('confirmedAt'),
      })
      .where('userId', '=', $('userId'))
      .where('kind', '=', 'primary'),
  )
}

/** Deletes an address; returns whether there was one. */
export async function deleteEmail(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('emails.delete', { id }, (db, $) =>
    db.deleteFrom('emails').where('id', '=', $('id')),
  )
  return changes > 0
}

/** Deletes the address of a user that was to become the primary one, if any. */
export async function deletePendingEmail(tx: Transaction, userId: number): Promise<void> {
  await tx.run('emails.delete-pending', { userId }, (db, $) =>
    db.deleteFrom('emails').where('userId', '=', $('userId')).where('kind', '=', 'pending'),
  )
}

/** The address that a user chose for notifications; undefined for the primary one. */
export async function findNotifiedEmail(q: Queries, userId: number): Promise<string | undefined> {
  const row = await q.first('emails.notified', { userId }, (db, $) =>
    db
      .selectFrom('emails')
      .select('email')
      .where('userId', '=', $('userId'))
      .where('notified', '=', 1)
      .where('kind', '=', 'secondary')
      .where('confirmedAt', 'is not', null),
  )
  return row?.email
}

/** Chooses the address for notifications among those of a user; that of no id for the primary one. */
export async function setNotifiedEmail(
  tx: Transaction,
  args: { userId: number; id: number },
): Promise<void> {
  const { userId } = args
  await tx.run('emails.clear-notified', { userId }, (db, $) =>
    db.updateTable('emails').set({ notified: 0 }).where('userId', '=', $('userId')),
  )
  await tx.run('emails.set-notified', args, (db, $) =>
    db
      .updateTable('emails')
      .set({ notified: 1 })
      .where('id', '=', $('id'))
      .where('userId', '=', $('userId')),
  )
}
