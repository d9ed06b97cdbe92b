import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { jsonText } from '../../platform/queries/sql.ts'
import type { Flag } from '../../platform/schema/flag.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** An application that isn't being deleted, without the hash of its secret. */
export type ApplicationRow = Omit<Row<'oauthApplications'>, 'secretHash' | 'deletedAt'>

export interface NewApplicationRow {
  uid: string
  secretHash: string
  name: string
  redirectUris: readonly string[]
  scopes: readonly string[]
  confidential: Flag
  trusted: Flag
  /** Milliseconds since the epoch. */
  createdAt: number
}

const columns = [
  'id',
  'uid',
  'name',
  'redirectUris',
  'scopes',
  'confidential',
  'trusted',
  'createdAt',
] as const

/** Stores a new application with the hash of its secret. */
export async function insertApplication(
  tx: Transaction,
  application: NewApplicationRow,
): Promise<ApplicationRow> {
  const { redirectUris, scopes, ...rest } = application
  const args = { ...rest, redirectUris: jsonText(redirectUris), scopes: jsonText(scopes) }
  const row = await tx.first('oauthApplications.insert', args, (db, $) =>
    db
      .insertInto('oauthApplications')
      .values({
        uid: $('uid'),
        secretHash: $('secretHash'),
        name: $('name'),
        redirectUris: $('redirectUris'),
        scopes: $('scopes'),
        confidential: $('confidential'),
        trusted: $('trusted'),
        createdAt: $('createdAt'),
      })
      .returning(columns),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** Lists all applications, oldest first; their number is limited. */
export function listApplications(q: Queries): Promise<ApplicationRow[]> {
  return q.all('oauthApplications.list', {}, (db) =>
    db.selectFrom('oauthApplications').select(columns).where('deletedAt', 'is', null).orderBy('id'),
  )
}

/** The number of applications. */
export async function countApplications(q: Queries): Promise<number> {
  const row = await q.first('oauthApplications.count', {}, (db) =>
    db
      .selectFrom('oauthApplications')
      .where('deletedAt', 'is', null)
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}

/** An application by its `client_id`, with the hash of its secret. */
export function findApplication(
  q: Queries,
  uid: string,
): Promise<(ApplicationRow & { secretHash: string }) | undefined> {
  return q.first('oauthApplications.find', { uid }, (db, $) =>
    db
      .selectFrom('oauthApplications')
      .select([...columns, 'secretHash'])
      .where('uid', '=', $('uid'))
      .where('deletedAt', 'is', null),
  )
}

/**
 * Marks an application as being deleted; returns its name, or undefined if there is none. `now` in
 * milliseconds.
 */
export async function hideApplication(
  tx: Transaction,
  args: { id: number; now: number },
): Promise<string | undefined> {
  const row = await tx.first('oauthApplications.hide', args, (db, $) =>
    db
      .updateTable('oauthApplications')
      .set({ deletedAt: $('now') })
      .where('id', '=', $('id'))
      .where('deletedAt', 'is', null)
      .returning('name'),
  )
  return row?.name
}

/** Deletes the row of an application that is marked as being deleted. */
export async function deleteApplicationRow(tx: Transaction, id: number): Promise<void> {
  await tx.run('oauthApplications.delete', { id }, (db, $) =>
    db.deleteFrom('oauthApplications').where('id', '=', $('id')).where('deletedAt', 'is not', null),
  )
}
